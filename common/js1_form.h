/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the form of a job summary in AdminComment (reports/deliver/js1.h). The program that makes the summary and the
 * program that sets it both use this.
 */
#ifndef STINT_JS1_FORM_H
#define STINT_JS1_FORM_H

#include <stdbool.h>

#define JS1_PREFIX "JS1:"
#define JS1_NONE "JS1:None"
#define JS1_SHORT "JS1:Short"
#define JS1_LENGTH_MAX 60000 /* slurmdbd keeps 65,535 bytes of an AdminComment */

/* Returns whether @text has the form of a job summary. Text from another program is checked by this before it is passed on. */
bool js1_valid(const char *text);

/*
 * Returns whether the summary @comment belongs to a job with GPUs, so its "gpus" is not 0. Returns false if @comment is
 * no summary, or is too damaged to read: no other reader could use it either. Unpacks at most a MiB of it.
 */
bool js1_has_gpus(const char *comment);

/*
 * Returns whether the job's current AdminComment, @comment, may be replaced: it is empty (or NULL), or it is a job
 * summary without data about GPUs. stint's own summaries have no such data.
 */
bool js1_may_replace(const char *comment);

#endif
