/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What memory a job was given on each of its nodes: nodes of one job can have different amounts. */
#ifndef STINT_NODE_MEMORY_H
#define STINT_NODE_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the bytes that the job of @report was given on @node, an entry of its nodes: as many as were requested, where that
 * was per node; else what Slurm allocated there. Where that is not known, or @node is NULL, an even part of the request; NAN:
 * neither is.
 */
double node_memory(const struct report *report, const struct report_node *node);

/*
 * Returns the same for the node with the highest used peak, of which memory_efficiency tells.
 */
double node_memory_at_peak(const struct report *report);

#endif
