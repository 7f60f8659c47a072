/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last lines that a job itself wrote: read at display time, with the reader's rights, and stored nowhere. */
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
 * Reads the last @most non-empty lines of the file to which the job of @report wrote its errors, or else its output.
 * Skips the output of the shells' time and of GNU time -v, unless there is nothing else: it follows the lines that
 * explain a failure.
 *
 * There are no lines if the file, as far as can be seen, is no longer the job's: it is another user's, is not a plain
 * file, or was last written before the job began or more than a minute after it ended. There are none either if the
 * file cannot be read, or if its file system does not answer.
 */
void last_lines_read(struct last_lines *last, const struct report *report, int most);

void last_lines_free(struct last_lines *last);

/*
 * Removes the output's name from the sentence about how the job of @report ended, if that file is empty: the script
 * wrote elsewhere (exec > run.log 2>&1). The name stays if the file is no longer the job's, as above, or cannot be
 * read.
 */
void last_lines_forget_empty(struct report *report);

#endif
