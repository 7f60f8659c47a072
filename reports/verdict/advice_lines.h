/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report's lines of advice, sorted by where they go. Slurm reads a script's options only above its first command: a
 * command that is pasted among them hides all that follow. So lines of each place stand together, apart from the
 * others.
 */
#ifndef STINT_ADVICE_LINES_H
#define STINT_ADVICE_LINES_H

#include <stddef.h>

#include "reports/model/report.h"

enum advice_place {
	ADVICE_AT_TOP, /* #SBATCH */
	ADVICE_OF_COMMAND, /* the same options without #SBATCH: no job script ran */
	ADVICE_ABOVE,  /* commands, which have to be above the one that they are for */
	ADVICE_OF_STEP, /* an option of the srun that starts a step */
	ADVICE_PLACES
};

#define ADVICE_HEAD_TEXT 112

/*
 * Writes what a page calls @place, behind "Next time: ": of a component of a heterogeneous job, which one the lines are for, and where in
 * the script. Returns @text.
 */
const char *advice_place_head(const struct report *report, enum advice_place place, char text[ADVICE_HEAD_TEXT]);

#define ADVICE_OF_TASK_TEXT 160

/*
 * Writes that lines for the job script are for one task, if @report is of a task of an array: all tasks have one script, and one may
 * need more than another. Returns @text; NULL: the report is of no such task.
 */
const char *advice_of_task(const struct report *report, char text[ADVICE_OF_TASK_TEXT]);

/*
 * Returns where @line goes.
 */
enum advice_place advice_place_of(const char *line);

/*
 * Returns the line of one piece of advice, which people paste; NULL: it has none, or one that stint does not write. A
 * report is a file that a job's own programs can write, too.
 */
const char *advice_line(const struct report_advice *one);

/*
 * Returns the next line of the list @advice that goes to @place; NULL: there is none.
 *
 * @at: where to go on, 0 at first
 */
const char *advice_next_line(const struct report_advice_list *advice, enum advice_place place, size_t *at);

#endif
