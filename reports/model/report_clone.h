/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies objects of a model, with everything in them. */
#ifndef STINT_REPORT_CLONE_H
#define STINT_REPORT_CLONE_H

#include "reports/model/report_tables.h"

/*
 * Makes @object, a copy of the bytes of another object of the table @of, independent of that one: copies its lists and
 * texts to @memory. Each text is copied once. Hidden members stay as they are.
 *
 * Returns 0; -1 if out of memory, and @object is then useless.
 */
int report_clone(struct report *memory, const struct report_object *of, void *object);

#endif
