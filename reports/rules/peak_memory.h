/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how much memory a job used, for pages. If the kernel killed a process at a limit, the sampled peak is too low,
 * because the memory used had reached that limit and was about to grow.
 */
#ifndef STINT_PEAK_MEMORY_H
#define STINT_PEAK_MEMORY_H

#include <stdbool.h>

#include "reports/model/report.h"

struct peak_memory {
	double bytes; /* the peak of the node with the highest peak; NAN if not known */
	double given; /* bytes that this node was given; NAN if not known */
	double share; /* bytes as a share of given; NAN if not known */
	bool or_more; /* the kernel killed a process at that peak */
};

void peak_memory_read(const struct report *report, struct peak_memory *peak);

/* Returns the peak of one @node of @report in bytes; NAN if not known. */
double peak_memory_of_node(const struct report *report, const struct report_node *node);

#endif
