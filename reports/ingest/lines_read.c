/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/lines_read.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory/array.h"
#include "common/memory/memory_quick.h"
#include "reports/lines/line_pack.h"

#define THREADS_MAX 8
#define AT_ONCE 16 /* how many lines a thread takes from the queue at a time */

struct lines_reader {
	const struct rules *rules;
	struct line_packer *packer; /* used by the calling thread */
	pthread_t threads[THREADS_MAX];
	size_t started;
	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t more, done;
	struct batch **queue; /* the batches before index @at are read or are being read */
	size_t count, at;
	size_t line; /* index of the next line to read in the batch at index @at */
	size_t busy; /* how many threads are reading */
	bool ending, short_of_memory;
};

/* Some lines of a batch that a thread reads. */
struct part {
	const struct batch *batch;
	size_t from, to;
};

/* ---- reading ---- */

/* Removes the line's name from the reason, because the message names the line elsewhere. */
static void forget_name(struct error *reason, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(reason->text, name, length) == 0 && strncmp(reason->text + length, ": ", 2) == 0)
		memmove(reason->text, reason->text + length + 2, strlen(reason->text + length + 2) + 1);
}

static bool read_line(const struct batch *batch, struct batch_line *line, const struct rules *rules,
		      struct line_packer *packer)
{
	char name[BATCH_NAME_MAX + 24];

	if (line->damaged)
		return true;
	snprintf(name, sizeof(name), "%s:%zu", batch->name, line->number);
	if (job_line_read(&line->line, name, rules, &line->reason) < 0) {
		line->damaged = true;
		forget_name(&line->reason, name);
		return errno != ENOMEM;
	}
	line->line.split = line_pack_split(packer, line->line.text, line->line.length);
	return line->line.split;
}

static bool read_part(const struct lines_reader *reader, const struct part *part, struct line_packer *packer)
{
	for (size_t i = part->from; i < part->to; i++)
		if (!packer || !read_line(part->batch, &part->batch->list[i], reader->rules, packer))
			return false;
	return true;
}

/* ---- the queue (the caller holds the lock) ---- */

static bool take_part(struct lines_reader *reader, struct part *part)
{
	while (reader->at < reader->count && reader->line >= reader->queue[reader->at]->count) {
		reader->at++;
		reader->line = 0;
	}
	if (reader->at == reader->count || reader->short_of_memory)
		return false;
	part->batch = reader->queue[reader->at];
	part->from = reader->line;
	part->to = part->from + AT_ONCE < part->batch->count ? part->from + AT_ONCE : part->batch->count;
	reader->line = part->to;
	return true;
}

/* Reads until no part is left. Releases the lock while it reads. */
static void read_parts(struct lines_reader *reader, struct line_packer *packer)
{
	struct part part;
	bool read;

	while (take_part(reader, &part)) {
		reader->busy++;
		pthread_mutex_unlock(&reader->lock);
		read = read_part(reader, &part, packer);
		pthread_mutex_lock(&reader->lock);
		reader->busy--;
		if (!read)
			reader->short_of_memory = true;
	}
	if (!reader->busy)
		pthread_cond_signal(&reader->done);
}

static void *run(void *context)
{
	struct lines_reader *reader = context;
	struct line_packer *packer = line_packer_new();

	pthread_mutex_lock(&reader->lock);
	while (!reader->ending) {
		read_parts(reader, packer);
		if (!reader->ending)
			pthread_cond_wait(&reader->more, &reader->lock);
	}
	pthread_mutex_unlock(&reader->lock);
	line_packer_free(packer);
	memory_quick_end();
	return NULL;
}

/* ---- what the caller does ---- */

struct lines_reader *lines_reader_new(const struct rules *rules, struct error *err)
{
	struct lines_reader *reader = calloc(1, sizeof(*reader));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (!reader || !(reader->packer = line_packer_new())) {
		free(reader);
		error_set(err, "out of memory");
		return NULL;
	}
	reader->rules = rules;
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->more, NULL);
	pthread_cond_init(&reader->done, NULL);
	/* the caller needs a processor, too */
	while ((long)reader->started + 1 < processors && reader->started < THREADS_MAX &&
	       pthread_create(&reader->threads[reader->started], NULL, run, reader) == 0)
		reader->started++;
	return reader;
}

int lines_reader_add(struct lines_reader *reader, struct batch *batch, struct error *err)
{
	int result = 0;

	pthread_mutex_lock(&reader->lock);
	if (array_room(&reader->queue, reader->count, sizeof(*reader->queue)))
		reader->queue[reader->count++] = batch;
	else
		result = error_set(err, "out of memory");
	pthread_cond_broadcast(&reader->more);
	pthread_mutex_unlock(&reader->lock);
	return result;
}

int lines_reader_finish(struct lines_reader *reader, struct error *err)
{
	int result = 0;

	pthread_mutex_lock(&reader->lock);
	read_parts(reader, reader->packer);
	while (reader->busy)
		pthread_cond_wait(&reader->done, &reader->lock);
	if (reader->short_of_memory)
		result = error_set(err, "out of memory");
	reader->count = reader->at = reader->line = 0;
	pthread_mutex_unlock(&reader->lock);
	memory_quick_end();
	return result;
}

void lines_reader_free(struct lines_reader *reader)
{
	if (!reader)
		return;
	pthread_mutex_lock(&reader->lock);
	reader->ending = true;
	reader->count = reader->at = 0;
	pthread_cond_broadcast(&reader->more);
	pthread_mutex_unlock(&reader->lock);
	for (size_t i = 0; i < reader->started; i++)
		pthread_join(reader->threads[i], NULL);
	pthread_mutex_destroy(&reader->lock);
	pthread_cond_destroy(&reader->more);
	pthread_cond_destroy(&reader->done);
	line_packer_free(reader->packer);
	free(reader->queue);
	free(reader);
}
