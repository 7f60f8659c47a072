/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory a job used, for pages. The sampled peak is too low if the kernel killed a process at a limit: the memory used had
 * reached that limit, and was to grow.
 */
#ifndef STINT_PEAK_MEMORY_H
#define STINT_PEAK_MEMORY_H

#include <stdbool.h>

#include "reports/model/report.h"

struct peak_memory {
	double bytes; /* of the node with the highest; NAN: not known */
	double given; /* bytes that this node was given; NAN: not known */
	double share; /* of these; NAN: not known */
	bool or_more; /* the kernel killed a process at that peak */
};

void peak_memory_read(const struct report *report, struct peak_memory *peak);

/* Returns the bytes for one node of @report; NAN: not known. */
double peak_memory_of_node(const struct report *report, const struct report_node *node);

#endif
