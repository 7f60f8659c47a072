/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job summary (common/js1_form.h) in a job's AdminComment says what GPUs did, which stint's own does not. */
#ifndef STINT_JS1_GPUS_H
#define STINT_JS1_GPUS_H

#include <stdbool.h>

/*
 * Whether the summary @comment is of a job with GPUs: its "gpus" is not 0. False for what is no summary, or too damaged to be read:
 * no reader could use it either. At most a MiB of it is unpacked.
 */
bool js1_has_gpus(const char *comment);

#endif
