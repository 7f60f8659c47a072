/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks text in the form of a job summary in AdminComment (reports/deliver/js1.h). */
#ifndef STINT_JS1_FORM_H
#define STINT_JS1_FORM_H

#include <stdbool.h>

#define JS1_PREFIX "JS1:"
#define JS1_NONE "JS1:None"
#define JS1_SHORT "JS1:Short"
#define JS1_LENGTH_MAX 60000 /* bytes; slurmdbd keeps at most 65,535 */

/* Returns whether @text has the form of a job summary. Call this before you pass on another program's text. */
bool js1_valid(const char *text);

/* Returns whether @comment is the summary of a job with GPUs. Unpacks at most 1 MiB. */
bool js1_has_gpus(const char *comment);

/*
 * Returns whether stint may replace the AdminComment @comment with the summary @text.
 * It may if @comment is NULL, empty, or a job summary. A summary with GPUs, of stint or another tool, is only replaced
 * with one that has GPUs, too. @text may be NULL if it is not known yet: then it counts as one with GPUs.
 */
bool js1_may_replace(const char *comment, const char *text);

#endif
