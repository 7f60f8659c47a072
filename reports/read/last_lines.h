/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the last lines that a job itself wrote. stint reads these lines with the reader's rights when it shows them,
 * and stores them nowhere.
 */
#ifndef STINT_LAST_LINES_H
#define STINT_LAST_LINES_H

#include "common/conf.h"
#include "reports/model/report.h"

struct last_lines {
	const char *path; /* borrowed from the report */
	char *lines[CONF_LAST_LINES_MOST]; /* unchanged as the job wrote them, so the caller must escape them */
	int count;
};

/*
 * Reads the last @most non-empty lines of the file to which the job of @report wrote its errors. If there are none,
 * reads the job's output file instead. Skips the output of a shell's time and of GNU time -v, because this output
 * follows the lines that explain a failure. Shows this output only if there is nothing else.
 *
 * Finds no lines if the file seems to be no longer the job's. This is so if the file belongs to another user, is not a
 * plain file, or was last written before the job began or more than a minute after the job ended. Also finds no lines
 * if the file cannot be read, or if its file system does not answer.
 */
void last_lines_read(struct last_lines *last, const struct report *report, int most);

void last_lines_free(struct last_lines *last);

/*
 * Removes the name of the job's output file from the sentence in @report that says how the job ended, if this file is
 * empty. It is empty if the script wrote elsewhere (exec > run.log 2>&1). Does not remove the name if the file cannot
 * be read, or if it is no longer the job's, as last_lines_read() says.
 */
void last_lines_forget_empty(struct report *report);

#endif
