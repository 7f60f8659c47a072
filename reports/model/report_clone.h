/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies objects of a model, and everything in them. */
#ifndef STINT_REPORT_CLONE_H
#define STINT_REPORT_CLONE_H

#include "reports/model/report_tables.h"

/*
 * @object is a copy of another object, byte by byte. Makes @object independent of the other object by copying its lists
 * and texts to @memory. Copies equal texts once. Hidden members stay as they are. @of: the table of @object
 *
 * Returns 0. If out of memory, returns -1, and @object is useless.
 */
int report_clone(struct report *memory, const struct report_object *of, void *object);

#endif
