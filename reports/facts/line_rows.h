/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the rows of the table "line".
 *
 * A row has lines of several jobs, because zstd packs them better together. The ids of these jobs differ only in the
 * lowest bits (LINE_JOBS). The jobs have the same user and account, because a reader sees either the whole row or
 * nothing. All lines of a job are in one row. The key of a row is its first job.
 */
#ifndef STINT_LINE_ROWS_H
#define STINT_LINE_ROWS_H

#include "reports/database/database.h"
#include "reports/facts/job_lines.h"
#include "reports/lines/line_pack.h"

/* Lines of a job that must be written. */
struct line_rows_job {
	int month;
	int64_t cluster, user, account; /* user, account: numbers of the words; 0 if not known */
	struct line_owner owner;
	struct job_line *const *lines;
	size_t count;
};

/* Sorts @jobs, writes their lines to new rows, and frees the lines' splits. Returns 0; -1 with @err set. */
int line_rows_write(struct database *db, struct line_packer *packer, struct line_rows_job *jobs, size_t count,
		    struct error *err);

/*
 * Receives a line with a NUL at its end. The text is valid only during the call. Returns 0; -1 with @err set to stop.
 */
typedef int line_rows_each(void *context, const char *text, size_t length, struct error *err);

/* The job whose lines line_rows_find() reads. */
struct line_rows_key {
	int month;
	int64_t cluster;
	struct line_owner owner;
};

/* Passes each line of the job to @each. Returns 0; -1 with @err set. */
int line_rows_find(struct database *db, struct line_packer *packer, const struct line_rows_key *key, line_rows_each *each,
		   void *context, struct error *err);

#endif
