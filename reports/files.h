/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that carried most bytes and were opened most often. */
#ifndef STINT_FILES_H
#define STINT_FILES_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Puts files and files_count into @report when every node counted them. A file
 * of a network file system is the same on all nodes that know its path, any
 * other belongs to its node.
 */
void files_put(struct json_object *const records[], size_t count, struct json_object *report,
	       struct json_object *gaps);

/*
 * Keeps the @max files of the record that carried most bytes and the @max that
 * were opened most often, and says so in its gaps when there were more: what a
 * report is made of must not grow with the number of nodes.
 */
void files_trim(struct json_object *record, size_t max);

#endif
