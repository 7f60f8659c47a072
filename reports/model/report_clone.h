/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies objects of a model, with everything in them. */
#ifndef STINT_REPORT_CLONE_H
#define STINT_REPORT_CLONE_H

#include "reports/model/report_tables.h"

/*
 * Makes @object independent of the object from which it was copied byte by byte.
 * Copies its lists and texts to @memory, and equal texts only once. Leaves hidden members unchanged.
 *
 * @of: the table of @object
 *
 * Returns 0; -1 if out of memory: @object must then not be used.
 */
int report_clone(struct report *memory, const struct report_object *of, void *object);

#endif
