/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies objects of a model, with everything in them. */
#ifndef STINT_REPORT_CLONE_H
#define STINT_REPORT_CLONE_H

#include "reports/model/report_tables.h"

/*
 * Makes @object independent of the object of which it is a copy, byte by byte: copies its lists and texts to @memory.
 * Copies equal texts once. Hidden members stay as they are. @of: the table of @object
 *
 * Returns 0; -1 if out of memory, and @object is then useless.
 */
int report_clone(struct report *memory, const struct report_object *of, void *object);

#endif
