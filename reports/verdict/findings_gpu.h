/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What findings about GPUs and advice have in common. */
#ifndef STINT_FINDINGS_GPU_H
#define STINT_FINDINGS_GPU_H

#include <stdbool.h>

#include "reports/rules/facts.h"

/* Returns true if the GPUs were idle for much of the time, and none of them all the time. */
bool findings_gpu_half_idle(const struct facts *facts);

/* Returns true if all of the job's CPUs were busy nearly all the time. */
bool findings_gpu_cpus_full(const struct facts *facts);

#endif
