/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how much memory a job used, for pages.
 * After a kill at a limit, the sampled peak is too low: memory was about to exceed the limit.
 */
#ifndef STINT_PEAK_MEMORY_H
#define STINT_PEAK_MEMORY_H

#include <stdbool.h>

#include "reports/model/report.h"

struct peak_memory {
	double bytes; /* of the node with the highest peak; NAN if unknown */
	double given; /* bytes that this node was given; NAN if unknown */
	double share; /* bytes / given; NAN if unknown */
	bool or_more; /* the kernel killed a process at this peak */
};

void peak_memory_read(const struct report *report, struct peak_memory *peak);

/* Returns bytes; NAN if unknown. */
double peak_memory_of_node(const struct report *report, const struct report_node *node);

#endif
