/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the last lines that a job itself wrote. They are read when they are shown, with the reader's rights, and are
 * stored nowhere.
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
 * reads the file to which it wrote its output. Skips the output of the shells' time and of GNU time -v, unless there is
 * nothing else, because this output follows the lines that explain a failure.
 *
 * There are no lines if the file, as far as can be seen, is no longer the job's. This is so if the file belongs to
 * another user, is not a plain file, or was last written before the job began or more than a minute after the job
 * ended. There are no lines either if the file cannot be read, or if its file system does not answer.
 */
void last_lines_read(struct last_lines *last, const struct report *report, int most);

void last_lines_free(struct last_lines *last);

/*
 * Removes the output's name from the sentence about how the job of @report ended, if the output file is empty because
 * the script wrote elsewhere (exec > run.log 2>&1). The name stays if the file is no longer the job's, as for
 * last_lines_read(), or if it cannot be read.
 */
void last_lines_forget_empty(struct report *report);

#endif
