/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports what each node gave to the job, and what the job did there. */
#ifndef STINT_REPORT_NODES_H
#define STINT_REPORT_NODES_H

#include "reports/builder/build_report.h"

/* Puts the nodes into @report. Nodes with a record come first. */
void nodes_put(const struct build_input *input, struct report *report);

#endif
