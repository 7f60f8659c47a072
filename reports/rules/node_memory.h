/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a job was given on each of its nodes. Nodes of one job can have different amounts. */
#ifndef STINT_NODE_MEMORY_H
#define STINT_NODE_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the bytes that the job of @report was given on @node, an entry of its nodes: the requested bytes if the request was per
 * node, else what Slurm allocated there. If that is not known, or @node is NULL, returns an even part of the request; NAN: neither
 * is known.
 */
double node_memory(const struct report *report, const struct report_node *node);

/*
 * Returns the same for the node with the highest used peak, which is the node that memory_efficiency is about.
 */
double node_memory_at_peak(const struct report *report);

#endif
