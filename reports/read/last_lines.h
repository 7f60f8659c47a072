/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last lines that a job itself wrote: read when somebody looks, with the reader's rights, and kept nowhere. */
#ifndef STINT_LAST_LINES_H
#define STINT_LAST_LINES_H

#include "common/conf.h"
#include "reports/model/report.h"

struct last_lines {
	const char *path; /* borrowed from the report */
	char *lines[CONF_LAST_LINES_MOST]; /* as they were written: to be escaped */
	int count;
};

/*
 * Reads the last @most lines that are not empty of the file to which the job of @report wrote its errors, or else its output. What
 * the shells' time and GNU time -v write is left out, unless there is nothing else: it stands behind what failed.
 *
 * There are none where the file is not the job's any more, as far as can be seen: another user's, no plain file, or last written
 * before the job began or a minute after it had ended. Nor where the file cannot be read, or its file system does not answer.
 */
void last_lines_read(struct last_lines *last, const struct report *report, int most);

void last_lines_free(struct last_lines *last);

/*
 * Takes the output's name out of the sentence of how the job of @report ended, if that file is empty: the script wrote elsewhere (exec >
 * run.log 2>&1). It stays where the file is not the job's any more, as above, or cannot be read.
 */
void last_lines_forget_empty(struct report *report);

#endif
