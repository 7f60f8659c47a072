/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ingest.c and rebuild.c share: batches, from wherever they come, are collected in groups and ingested. */
#ifndef STINT_INGEST_INTERNAL_H
#define STINT_INGEST_INTERNAL_H

#include <sys/stat.h>

#include "reports/ingest/archive.h"
#include "reports/ingest/ingest.h"
#include "reports/ingest/lines_read.h"
#include "reports/ingest/transaction.h"

#define INGEST_DIRECTORIES 128 /* each has a file descriptor */

/* Batches that one transaction ingests. */
struct ingest_group {
	struct transaction_batch *list;
	size_t count, lines, bytes;
	int directories[INGEST_DIRECTORIES]; /* file descriptors of the directories that the batches are in */
	size_t directory_count;
	struct stat last; /* the directory that was added last */
};

struct ingest_state {
	struct ingest *ingest;
	struct jobs_update update;
	struct names names;
	struct ingest_group groups[2]; /* one group is filled while the other group is ingested */
	struct ingest_group *filling;
	struct lines_reader *reader;
	bool rebuilding; /* whether the batches come from the archive */
	int64_t done, all; /* progress in batches, or in bytes of the archive if rebuilding; all is 0 if unknown */
	int64_t ingested_us, newest_us; /* the times that are in the database (moments.h); 0 if not known */
	struct archive archive;
	struct transaction_note *notes; /* batches of earlier groups that are in the archive, while the ledger does not say so yet */
	size_t note_count;
	struct map ends; /* keys are names of archives; number is the offset of the archive's end */
};

int ingest_begin(struct ingest_state *state, struct ingest *ingest, struct error *err);

/* Call it also after ingest_begin() failed. */
void ingest_end(struct ingest_state *state);

/* @all: as state->all */
void ingest_begin_progress(struct ingest_state *state, int64_t all);

void ingest_show_progress(const struct ingest_state *state);

/*
 * Adds @batch, which it takes, to the group that is being filled, and ingests that group once it is full.
 *
 * @dirfd: the batch's directory, from which the batch goes when it is ingested; -1: none
 */
int ingest_add(struct ingest_state *state, struct batch *batch, int dirfd, struct error *err);

/* Ingests all that was added. */
int ingest_finish(struct ingest_state *state, struct error *err);

#endif
