/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether text has the form of a job summary in AdminComment (reports/deliver/js1.h). Both the program that
 * makes the summary and the program that sets AdminComment use this.
 */
#ifndef STINT_JS1_FORM_H
#define STINT_JS1_FORM_H

#include <stdbool.h>

#define JS1_PREFIX "JS1:"
#define JS1_NONE "JS1:None"
#define JS1_SHORT "JS1:Short"
#define JS1_LENGTH_MAX 60000 /* in bytes; slurmdbd keeps at most 65,535 bytes of an AdminComment */

/* Returns whether @text has the form of a job summary. Call it before passing on text that another program has made. */
bool js1_valid(const char *text);

/*
 * Returns whether @comment is the summary of a job with GPUs, which means that its "gpus" is not 0. Returns false if
 * @comment is no summary, or is so damaged that no other program could read it. Unpacks at most 1 MiB of @comment.
 */
bool js1_has_gpus(const char *comment);

/*
 * Returns whether stint may replace @comment, the current AdminComment of a job. It may if @comment is NULL, empty,
 * or a job summary without data about GPUs, like stint's own summaries.
 */
bool js1_may_replace(const char *comment);

#endif
