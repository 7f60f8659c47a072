/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the GPU time that a job was given was busy, idle, or is not known. */
#ifndef STINT_GPU_USE_H
#define STINT_GPU_USE_H

#include "reports/model/report.h"

/* In GPU-seconds: one GPU for a second. */
struct gpu_use {
	double given_s;   /* allocated GPUs x elapsed time; NAN if the job has none, or the time is not known */
	double busy_s;    /* something ran on a GPU; NAN if that is known for none of the GPUs */
	double idle_s;    /* nothing ran, and the job was not suspended; NAN as @busy_s */
	double unknown_s; /* what is left of @given_s: it may have been busy or idle */
};

/*
 * Fills @use from the report's list of GPUs.
 *
 * A GPU that is not in the list is unknown, and so is the time in which a GPU was not read. If the job had only shares of
 * GPUs, or is seen on more GPUs than it was given, all is unknown: others may have used these GPUs.
 */
void gpu_use_read(const struct report *report, struct gpu_use *use);

#endif
