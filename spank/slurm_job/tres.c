/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/tres.h"

#include <stdlib.h>
#include <string.h>

static int unit_shift(char unit)
{
	switch (unit) {
	case 'K':
		return 10;
	case '\0':
	case ',':
	case 'M':
		return 20;
	case 'G':
		return 30;
	case 'T':
		return 40;
	case 'P':
		return 50;
	default:
		return -1;
	}
}

static const char *value_of(const char *tres, const char *name)
{
	size_t length = strlen(name);

	while (tres && (strncmp(tres, name, length) || tres[length] != '=')) {
		tres = strchr(tres, ',');
		if (tres)
			tres++;
	}
	return tres ? tres + length + 1 : NULL;
}

int tres_memory(const char *tres, uint64_t *bytes)
{
	const char *text = value_of(tres, "mem");
	char *end;
	double value;
	int shift;

	if (!text)
		return -1;
	value = strtod(text, &end);
	shift = unit_shift(*end);
	if (end == text || shift < 0 || !(value >= 0 && value * (double)(1ull << shift) < 0x1p63))
		return -1;
	*bytes = value * (double)(1ull << shift);
	return 0;
}

int tres_count(const char *tres, const char *name, uint32_t *count)
{
	const char *text = value_of(tres, name);
	unsigned long value;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return -1;
	value = strtoul(text, &end, 10);
	if ((*end && *end != ',') || value >= UINT32_MAX)
		return -1;
	*count = value;
	return 0;
}

/*
 * Returns the count at the end of @one: 2 for "gpu:2" and "gpu:a100:2"; 0 if there is none.
 *
 * @length: of @one
 */
static unsigned long count_at_end(const char *one, size_t length)
{
	size_t digits = 0;

	while (digits < length && one[length - digits - 1] >= '0' && one[length - digits - 1] <= '9')
		digits++;
	if (digits == 0 || digits == length || one[length - digits - 1] != ':')
		return 0;
	return strtoul(one + length - digits, NULL, 10);
}

int gres_count(const char *gres, const char *name, uint32_t *count)
{
	size_t name_length = strlen(name);
	unsigned long sum = 0, here;

	while (gres && *gres) {
		size_t length = strcspn(gres, ",");

		here = strncmp(gres, name, name_length) || gres[name_length] != ':' ? 0 : count_at_end(gres, length);
		if (here >= UINT32_MAX - sum)
			return -1;
		sum += here;
		gres += length + (gres[length] == ',');
	}
	*count = sum;
	return sum > 0 ? 0 : -1;
}
