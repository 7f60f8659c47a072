/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's JSON Schema, made from the lists of its fields (report_fields.h), for "stint report --schema". */
#ifndef STINT_REPORT_SCHEMA_H
#define STINT_REPORT_SCHEMA_H

#include <stdio.h>

/* Prints the schema. Each property is on a line of its own. */
void report_schema_print(FILE *out);

#endif
