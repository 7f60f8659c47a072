/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/tres.h"

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

int tres_memory(const char *tres, uint64_t *bytes)
{
	static const char key[] = "mem=";

	while (tres && strncmp(tres, key, strlen(key))) {
		tres = strchr(tres, ',');
		if (tres)
			tres++;
	}
	if (tres) {
		char *end;
		double value = strtod(tres + strlen(key), &end);
		int shift = unit_shift(*end);

		if (end != tres + strlen(key) && shift >= 0 && value >= 0 && value < 1e9) {
			*bytes = value * (double)(1ull << shift);
			return 0;
		}
	}
	return -1;
}
