/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what all pages need about a report's tools. */
#ifndef STINT_TOOL_FIELDS_H
#define STINT_TOOL_FIELDS_H

#include "reports/model/report.h"

#define TOOL_FOLDER_TEXT 64

/*
 * Returns the field that pages show as a tool's memory peak: "used_peak_bytes".
 * If no user's tool has this field, returns "peak_bytes", the peak of the resident set.
 */
const char *tool_fields_peak(const struct report_tool_list *tools);

/*
 * Returns how many forks of @tool must have used CPU time; 0 if no fork must have used any, or if this is not known.
 * A fork never execs, and its life is not part of the tool's wall time.
 * Without forks, the CPU time is at most the wall time multiplied by the number of threads.
 */
double tool_fields_forks(const struct report_tool *tool);

/*
 * Writes what distinguishes @tool from other tools with the same name: the last part of its folder.
 * If another tool has the same last part, writes the whole folder; cuts a long folder.
 * Users name folders, so the text may contain any character.
 * Returns @text; NULL if the name is enough, or if the folder is not known.
 */
const char *tool_fields_folder(const struct report_tool_list *tools, const struct report_tool *tool, char text[TOOL_FOLDER_TEXT]);

#endif
