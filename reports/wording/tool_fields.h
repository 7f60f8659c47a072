/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all views need of a report's list of tools. */
#ifndef STINT_TOOL_FIELDS_H
#define STINT_TOOL_FIELDS_H

#include "reports/model/report.h"

#define TOOL_FOLDER_TEXT 64

/*
 * Returns which field of a tool is its memory peak, "used_peak_bytes": of used memory, as the job's own peak is. Where no
 * tool of the user's in @tools has that, it is of the resident set, "peak_bytes", and the column is named so.
 */
const char *tool_fields_peak(const struct report_tool_list *tools);

/*
 * Writes what distinguishes @tool from others of the report's @tools that have its name: the last part of its folder, or all of that
 * if the last parts are equal, cut if it is long. It may hold whatever a user named a folder.
 *
 * Returns @text; NULL: its name is enough, or where its file lies is not known.
 */
const char *tool_fields_folder(const struct report_tool_list *tools, const struct report_tool *tool, char text[TOOL_FOLDER_TEXT]);

#endif
