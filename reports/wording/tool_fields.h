/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds facts that all pages need about a report's list of tools. */
#ifndef STINT_TOOL_FIELDS_H
#define STINT_TOOL_FIELDS_H

#include "reports/model/report.h"

#define TOOL_FOLDER_TEXT 64

/*
 * Returns the field of a tool that pages show as its memory peak. The field is "used_peak_bytes", the peak of used
 * memory, as for the job. If no user's tool in @tools has it, the field is "peak_bytes", the peak of the resident
 * set. The column's name then says so.
 */
const char *tool_fields_peak(const struct report_tool_list *tools);

/*
 * Returns how many forks of @tool must have used a part of the tool's CPU time. Such forks never exec, and the time
 * that they lived is not part of the tool's wall time. Without forks, the tool can have used at most its wall time
 * multiplied by its number of threads. Returns 0 if that explains the CPU time, or if it is not known.
 */
double tool_fields_forks(const struct report_tool *tool);

/*
 * Writes what distinguishes @tool from other tools of the same name in @tools: the last part of its folder. If the
 * folder of another such tool ends in the same part, writes the whole folder, cut if it is long. The text may contain
 * any character, because users name folders.
 *
 * Returns @text; NULL if the name is enough, or if the folder is not known.
 */
const char *tool_fields_folder(const struct report_tool_list *tools, const struct report_tool *tool, char text[TOOL_FOLDER_TEXT]);

#endif
