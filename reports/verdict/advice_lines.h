/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts lines of advice by where they go.
 * Slurm ignores all options of a script below its first command.
 * So a page must not show commands among options.
 */
#ifndef STINT_ADVICE_LINES_H
#define STINT_ADVICE_LINES_H

#include <stddef.h>

#include "reports/model/report.h"

enum advice_place {
	ADVICE_AT_TOP, /* #SBATCH */
	ADVICE_OF_COMMAND, /* options without #SBATCH, for a job without a script */
	ADVICE_ABOVE,  /* commands, to stand above the command that they are for */
	ADVICE_OF_STEP, /* an option of the step's srun */
	ADVICE_PLACES
};

#define ADVICE_HEAD_TEXT 112

/*
 * Writes what follows "Next time: " on a page.
 * Names the component of a heterogeneous job, and where in the script its lines go.
 * Returns @text.
 */
const char *advice_place_head(const struct report *report, enum advice_place place, char text[ADVICE_HEAD_TEXT]);

#define ADVICE_OF_TASK_TEXT 160

/*
 * Writes that the lines are for one task of an array. All tasks share a script, and one may need more than another.
 * Returns @text; NULL if @report is not for a task of an array.
 */
const char *advice_of_task(const struct report *report, char text[ADVICE_OF_TASK_TEXT]);

enum advice_place advice_place_of(const char *line);

/*
 * Returns the line of @one, for people to paste; NULL if there is none.
 * The job's programs can write the report. So a line that stint would not write gives NULL, too.
 */
const char *advice_line(const struct report_advice *one);

/*
 * Returns the next line of @advice for @place; NULL if there is none.
 * @at: 0 before the first call.
 */
const char *advice_next_line(const struct report_advice_list *advice, enum advice_place place, size_t *at);

#endif
