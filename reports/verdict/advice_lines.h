/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the report's lines of advice by where they go. Slurm reads a script's options only above its first command. If
 * a command is pasted among the options, Slurm ignores all options after it. So a page shows the lines for one place
 * together, apart from the others.
 */
#ifndef STINT_ADVICE_LINES_H
#define STINT_ADVICE_LINES_H

#include <stddef.h>

#include "reports/model/report.h"

enum advice_place {
	ADVICE_AT_TOP, /* #SBATCH */
	ADVICE_OF_COMMAND, /* the same options without #SBATCH, because no job script ran */
	ADVICE_ABOVE,  /* commands, which must stand above the command that they are for */
	ADVICE_OF_STEP, /* an option of the srun that starts a step */
	ADVICE_PLACES
};

#define ADVICE_HEAD_TEXT 112

/*
 * Writes the words for @place that a page shows after "Next time: ". For a component of a heterogeneous job, the text
 * also says which component the lines are for, and where they go in the script. Returns @text.
 */
const char *advice_place_head(const struct report *report, enum advice_place place, char text[ADVICE_HEAD_TEXT]);

#define ADVICE_OF_TASK_TEXT 160

/*
 * If @report is for a task of an array, writes that the lines for the job script are for one task. All tasks share one
 * script, and one task may need more than another. Returns @text; NULL if the report is not for such a task.
 */
const char *advice_of_task(const struct report *report, char text[ADVICE_OF_TASK_TEXT]);

/*
 * Returns where @line goes.
 */
enum advice_place advice_place_of(const char *line);

/*
 * Returns the line of one piece of advice, for people to paste. Returns NULL if there is no line, or if the line is not
 * one that stint itself would write. This is checked because a report is a file, and the job's own programs can write
 * it.
 */
const char *advice_line(const struct report_advice *one);

/*
 * Returns the next line of the list @advice that goes to @place; NULL if there is none.
 *
 * @at: the index at which to continue. Set it to 0 before the first call
 */
const char *advice_next_line(const struct report_advice_list *advice, enum advice_place place, size_t *at);

#endif
