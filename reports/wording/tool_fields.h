/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pages need about a report's list of tools. */
#ifndef STINT_TOOL_FIELDS_H
#define STINT_TOOL_FIELDS_H

#include "reports/model/report.h"

#define TOOL_FOLDER_TEXT 64

/*
 * Returns the field of a tool that pages show as its memory peak. That is "used_peak_bytes", the peak of used memory,
 * like the job's own peak. If no tool of the user in @tools has it, that is "peak_bytes", the peak of the resident set,
 * and the column's name says so.
 */
const char *tool_fields_peak(const struct report_tool_list *tools);

/*
 * Returns how many forks without a program of their own explain the CPU time of @tool. Its wall time is that of its runs, so that
 * their threads cannot have used more than their number times that. 0: they can, or that is not known.
 */
double tool_fields_forks(const struct report_tool *tool);

/*
 * Writes what distinguishes @tool from other tools in @tools of the same name: the last part of its folder or, if the last parts are
 * equal, the whole folder, cut if it is long. It may contain any text: users name folders.
 *
 * Returns @text; NULL: the name is enough, or the folder is not known.
 */
const char *tool_fields_folder(const struct report_tool_list *tools, const struct report_tool *tool, char text[TOOL_FOLDER_TEXT]);

#endif
