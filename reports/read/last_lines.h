/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the last lines that a job itself wrote, with the reader's rights. Stores them nowhere. */
#ifndef STINT_LAST_LINES_H
#define STINT_LAST_LINES_H

#include "common/conf.h"
#include "reports/model/report.h"

struct last_lines {
	const char *path; /* borrowed from the report */
	char *lines[CONF_LAST_LINES_MOST]; /* not escaped */
	int count;
};

/*
 * Reads the last @most non-empty lines of the job's error file.
 * If there are none, reads its output file.
 * Leaves out the lines that a shell's "time" or GNU "time -v" prints, if there are other lines,
 * because the lines of "time" follow the lines that explain a failure.
 *
 * Finds no lines if the file is no longer the job's:
 * - it belongs to another user, or is not a plain file,
 * - it was last written before the job began, or more than a minute after its end.
 * Also finds no lines if the file cannot be read, or if its file system does not answer.
 */
void last_lines_read(struct last_lines *last, const struct report *report, int most);

void last_lines_free(struct last_lines *last);

/*
 * Removes the output file's name from the report's outcome, if the file is empty.
 * It is empty if the script wrote elsewhere (exec > run.log 2>&1).
 * Keeps the name if the file cannot be read, or is no longer the job's.
 */
void last_lines_forget_empty(struct report *report);

#endif
