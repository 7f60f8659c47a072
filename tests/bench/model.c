/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures time and memory of reading a report: as a C type (reports/model/), and as objects of json-c.
 *
 *   model REPORT [ENTRIES [TIMES]]
 *
 * Repeats the report's tools and timeline entries until there are ENTRIES of each.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "reports/json/field.h"
#include "reports/model/report_read.h"

#define FILE_BYTES (64 << 20)
#define TIMES_MAX 1000

struct measured {
	double ms;
	long kib; /* how much the peak grew */
};

/* ---- the report ---- */

/* Writes the lines of the list @name, from @from on, until @count are written. Returns the text after the list. */
static const char *repeat_list(const char *from, const char *name, size_t count, FILE *out)
{
	const char *begin, *end, *at;

	begin = strstr(from, name);
	if (!begin) {
		fprintf(stderr, "bench: the report has no list %s\n", name);
		exit(1);
	}
	begin += strlen(name);
	end = strstr(begin, "\n  ]");
	fwrite(from, 1, begin - from, out);
	at = begin;
	for (size_t i = 0; i < count; i++) {
		const char *next = memchr(at + 1, '\n', end - at - 1);
		size_t length = (next ? next : end) - at;

		fwrite(at, 1, at[length - 1] == ',' ? length - 1 : length, out);
		fputs(i + 1 < count ? "," : "", out);
		at = next ? next : begin;
	}
	return end;
}

static char *make_report(const char *path, size_t entries, size_t *len)
{
	struct error err = { "" };
	cleanup_free char *one = file_read(AT_FDCWD, path, FILE_BYTES, len, &err);
	char *text = NULL;
	const char *rest;
	FILE *out;

	if (!one) {
		fprintf(stderr, "bench: %s\n", err.text);
		exit(1);
	}
	out = open_memstream(&text, len);
	if (!out)
		exit(1);
	rest = repeat_list(one, "\"tools\": [", entries, out);
	rest = repeat_list(rest, "\"timeline\": [", entries, out);
	fputs(rest, out);
	if (fclose(out) != 0)
		exit(1);
	return text;
}

/* ---- both readers ---- */

static void read_model(const char *text, size_t len)
{
	char *copy = malloc(len + 1);
	struct error err = { "" };
	struct report *report;

	memcpy(copy, text, len + 1);
	report = report_read(copy, len, &report_want_all, "report", &err);
	if (!report) {
		fprintf(stderr, "bench: %s\n", err.text);
		exit(1);
	}
	report_free(report);
}

static void read_objects(const char *text, size_t len)
{
	struct error err = { "" };
	struct json_object *report = field_parse(text, len, "report", json_type_object, &err);

	if (!report) {
		fprintf(stderr, "bench: %s\n", err.text);
		exit(1);
	}
	json_object_put(report);
}

static long status_kib(const char *name)
{
	cleanup_fclose FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kib = 0;

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, name, strlen(name)) == 0)
			sscanf(line + strlen(name), ": %ld", &kib);
	return kib;
}

static double now_ms(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e6;
}

/* Runs in a child, so no earlier test has used its memory. */
static struct measured measure(void (*reader)(const char *text, size_t len), const char *text, size_t len)
{
	struct measured *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), measured;
	pid_t pid = shared == MAP_FAILED ? -1 : fork();
	int status = 0;

	if (pid < 0)
		exit(1);
	if (pid == 0) {
		int peak = open("/proc/self/clear_refs", O_WRONLY);
		long before;
		double start;

		if (peak < 0 || write(peak, "5", 1) != 1)
			_exit(1);
		before = status_kib("VmRSS");
		start = now_ms();
		reader(text, len);
		shared->ms = now_ms() - start;
		shared->kib = status_kib("VmHWM") - before;
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0 || status != 0)
		exit(1);
	measured = *shared;
	munmap(shared, sizeof(*shared));
	return measured;
}

static int compare_ms(const void *a, const void *b)
{
	const struct measured *one = a, *other = b;

	return one->ms < other->ms ? -1 : one->ms > other->ms;
}

static void print_median(const char *name, struct measured *measured, size_t times)
{
	qsort(measured, times, sizeof(*measured), compare_ms);
	printf("%-28s  %7.1f ms, %7.1f MiB at its peak\n", name, measured[times / 2].ms, (double)measured[times / 2].kib / 1024);
}

int main(int argc, char **argv)
{
	static struct measured model[TIMES_MAX], objects[TIMES_MAX];
	size_t entries = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000, times = argc > 3 ? strtoul(argv[3], NULL, 10) : 21, len;
	cleanup_free char *text = NULL;

	if (argc < 2 || !entries || !times || times > TIMES_MAX) {
		fprintf(stderr, "Usage: %s REPORT [ENTRIES [TIMES]]\n", argv[0]);
		return 2;
	}
	text = make_report(argv[1], entries, &len);
	printf("one report of %zu tools and %zu entries, %.1f MiB, read %zu times by each\n", entries, entries,
	       (double)len / (1 << 20), times);
	for (size_t i = 0; i < times; i++) {
		model[i] = measure(read_model, text, len);
		objects[i] = measure(read_objects, text, len);
	}
	print_median("as struct report", model, times);
	print_median("as objects of json-c", objects, times);
	return 0;
}
