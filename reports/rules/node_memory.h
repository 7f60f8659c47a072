/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the memory that a job was given on each node. Nodes can have different amounts. */
#ifndef STINT_NODE_MEMORY_H
#define STINT_NODE_MEMORY_H

#include "reports/model/report.h"

/*
 * Returns the bytes that the job was given on @node, an entry of the report's nodes.
 * If the job asked for memory per node, these are the requested bytes; else the allocated bytes.
 * If they are not known, or if @node is NULL, returns an equal part of the request; NAN if the request is not known.
 */
double node_memory(const struct report *report, const struct report_node *node);

/* Returns node_memory() of the node with the highest used peak. memory_efficiency is for this node. */
double node_memory_at_peak(const struct report *report);

#endif
