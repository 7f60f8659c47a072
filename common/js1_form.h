/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a job summary in AdminComment (reports/deliver/js1.h), for the
 * program that makes it and the one that sets it.
 */
#ifndef STINT_JS1_FORM_H
#define STINT_JS1_FORM_H

#include <stdbool.h>

#define JS1_PREFIX "JS1:"
#define JS1_NONE "JS1:None"
#define JS1_SHORT "JS1:Short"
#define JS1_LENGTH_MAX 60000 /* slurmdbd keeps 65,535 bytes of an AdminComment */

/* Whether @text has the form of a job summary. Text from another program is checked before it is passed on. */
bool js1_valid(const char *text);

/*
 * Whether the summary @comment is of a job with GPUs: its "gpus" is not 0. False if it is no summary, or too damaged to read:
 * then no other reader could use it either. Unpacks at most a MiB of it.
 */
bool js1_has_gpus(const char *comment);

/*
 * Whether the job's current AdminComment, @comment, may be replaced: it is empty (or NULL), or a job summary without
 * data of GPUs. stint's own has none.
 */
bool js1_may_replace(const char *comment);

#endif
