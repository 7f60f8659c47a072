/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the report that says what each node gave and did. */
#ifndef STINT_REPORT_NODES_H
#define STINT_REPORT_NODES_H

#include <json-c/json.h>

#include "reports/builder/build_report.h"

/*
 * Returns the report's nodes: those with a record first, then those without.
 */
struct json_object *nodes_build(const struct build_input *input);

#endif
