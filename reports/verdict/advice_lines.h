/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts lines of advice by the place where the user must put them.
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
	ADVICE_ABOVE,  /* commands; the user puts them above the command that needs them */
	ADVICE_OF_STEP, /* an option of the step's srun */
	ADVICE_PLACES
};

#define ADVICE_HEAD_TEXT 112

/*
 * Writes what follows "Next time: " on a page.
 * For a heterogeneous job, names the component and the place of the lines in the script.
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
 * Returns the line of @one, which users may paste.
 * Returns NULL if there is no line, or if stint would not write such a line: the job's programs can forge the report.
 */
const char *advice_line(const struct report_advice *one);

/*
 * Returns the next line of @advice for @place; NULL if there is none.
 * @at: 0 before the first call.
 */
const char *advice_next_line(const struct report_advice_list *advice, enum advice_place place, size_t *at);

#endif
