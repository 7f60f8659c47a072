/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/lines_read.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "common/memory/memory_quick.h"
#include "reports/facts/line_pack.h"

#define THREADS_MAX 8
#define AT_ONCE 16 /* lines that a thread takes */

struct reading {
	struct batch *const *batches;
	size_t count;
	const struct rules *rules;
	atomic_size_t next; /* batch * BATCH_LINES_MAX + line */
	atomic_bool short_of_memory;
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
	struct reading *reading = context;
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

int lines_read(struct batch *const *batches, size_t count, const struct rules *rules, struct error *err)
{
	struct reading reading = { .batches = batches, .count = count, .rules = rules };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[THREADS_MAX];
	size_t started = 0;

	while (started + 1 < (size_t)(processors > 0 ? processors : 1) && started < THREADS_MAX &&
	       pthread_create(&threads[started], NULL, run, &reading) == 0)
		started++;
	run(&reading);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	return reading.short_of_memory ? error_set(err, "out of memory") : 0;
}
