/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pages say about GPUs. */
#ifndef STINT_GPU_FIELDS_H
#define STINT_GPU_FIELDS_H

#include "reports/model/report.h"

#define GPU_TEXT 64

/* Writes the number of the GPU's device, such as "3", or "3/7" for a slice. Returns @text; NULL if not known. */
const char *gpu_number_text(const struct report_gpu *gpu, char text[GPU_TEXT]);

/* Writes an energy, such as "105 Wh". Returns @text; NULL if not known. */
const char *gpu_energy_text(double joules, char text[GPU_TEXT]);

/*
 * Writes "sampled", with the share of the time that samples cover, if the busy share is not from counters alone.
 * Returns @text; NULL if it is from counters, or not known.
 */
const char *gpu_sampled_text(const struct report_gpu *gpu, char text[GPU_TEXT]);

/* Returns why the field @name of the GPU is not known; NULL if the report does not say it. */
const char *gpu_absent_reason(const struct report_gpu *gpu, const char *name);

#endif
