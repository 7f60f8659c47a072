/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the report about each node: its allocation, and what the job did there. */
#ifndef STINT_REPORT_NODES_H
#define STINT_REPORT_NODES_H

#include "reports/builder/build_report.h"

/* Puts the nodes into @report: first the nodes with a record, then the others. */
void nodes_put(const struct build_input *input, struct report *report);

#endif
