/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the report's JSON Schema, which is made from report_fields.h. */
#ifndef STINT_REPORT_SCHEMA_H
#define STINT_REPORT_SCHEMA_H

#include <stdio.h>

/* Each property is on a line of its own. */
void report_schema_print(FILE *out);

#endif
