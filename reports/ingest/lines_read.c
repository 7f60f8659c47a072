/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/lines_read.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/memory/memory_quick.h"
#include "reports/lines/line_pack.h"

#define THREADS_MAX 8
#define AT_ONCE 16 /* lines that a thread takes */

struct lines_reading {
	const struct rules *rules;
	pthread_t threads[THREADS_MAX];
	size_t started;
	atomic_size_t next; /* batch * BATCH_LINES_MAX + line */
	atomic_bool short_of_memory;
	size_t count;
	struct batch *batches[];
};

static bool read_line(const struct batch *batch, struct batch_line *line, const struct rules *rules,
		      struct line_packer *packer)
{
	char name[BATCH_NAME_MAX + 24];

	if (line->damaged)
		return true;
	snprintf(name, sizeof(name), "%s:%zu", batch->name, line->number);
	if (job_line_read(&line->line, name, rules, &line->reason) < 0) {
		line->damaged = true;
		return errno != ENOMEM;
	}
	line->line.packed = line_pack(packer, line->line.text, line->line.length, &line->line.packed_size);
	return line->line.packed;
}

static void *run(void *context)
{
	struct lines_reading *reading = context;
	struct line_packer *packer = line_packer_new();
	const size_t width = BATCH_LINES_MAX + AT_ONCE; /* room for the line that is one too many */

	if (!packer)
		reading->short_of_memory = true;
	while (!reading->short_of_memory) {
		size_t at = atomic_fetch_add(&reading->next, AT_ONCE);
		const struct batch *batch;

		if (at / width >= reading->count)
			break;
		batch = reading->batches[at / width];
		for (size_t i = at % width; i < at % width + AT_ONCE && i < batch->count; i++)
			if (!read_line(batch, &batch->list[i], reading->rules, packer))
				reading->short_of_memory = true;
	}
	line_packer_free(packer);
	memory_quick_end();
	return NULL;
}

struct lines_reading *lines_read_begin(struct batch *const *batches, size_t count, const struct rules *rules,
				       struct error *err)
{
	struct lines_reading *reading = calloc(1, sizeof(*reading) + count * sizeof(struct batch *));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (!reading) {
		error_set(err, "out of memory");
		return NULL;
	}
	reading->rules = rules;
	reading->count = count;
	for (size_t i = 0; i < count; i++)
		reading->batches[i] = batches[i];
	/* the caller has the last processor */
	while (count && (long)reading->started + 1 < processors && reading->started < THREADS_MAX &&
	       pthread_create(&reading->threads[reading->started], NULL, run, reading) == 0)
		reading->started++;
	return reading;
}

int lines_read_end(struct lines_reading *reading, struct error *err)
{
	int result = 0;

	if (reading->count)
		run(reading);
	for (size_t i = 0; i < reading->started; i++)
		pthread_join(reading->threads[i], NULL);
	if (reading->short_of_memory)
		result = error_set(err, "out of memory");
	free(reading);
	return result;
}
