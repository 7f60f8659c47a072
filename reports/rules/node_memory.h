/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how much memory a job was given on each of its nodes. The nodes of one job can have different amounts. */
#ifndef STINT_NODE_MEMORY_H
#define STINT_NODE_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the bytes that the job of @report was given on @node, an entry of the report's nodes. If the request was per
 * node, these are the requested bytes, otherwise the bytes that Slurm allocated on the node. If that is not known, or
 * if @node is NULL, returns an equal part of the request. Returns NAN if neither is known.
 */
double node_memory(const struct report *report, const struct report_node *node);

/* Like node_memory(), for the node with the highest used peak. memory_efficiency is about this node. */
double node_memory_at_peak(const struct report *report);

#endif
