/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pages say about containers. */
#ifndef STINT_CONTAINER_FIELDS_H
#define STINT_CONTAINER_FIELDS_H

#include "reports/model/report.h"

#define CONTAINER_NAME_TEXT 96

/*
 * Writes the name of the container at @place of the report's list: "apptainer image.sif", or "container 1" if its runtime is
 * not known. Users name images, so the text may contain any character.
 *
 * Returns @text; NULL if there is no such container.
 */
const char *container_name(const struct report *report, int64_t place, char text[CONTAINER_NAME_TEXT]);

/*
 * Returns the CPU time of the runtimes and their helpers outside of containers, in seconds; 0 if none.
 *
 * @most: set to the tool with the most of it; NULL if none
 */
double container_cost_s(const struct report *report, const struct report_tool **most);

#endif
