/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the sums and waits as in the node record.
 */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

/* Returns the name of a sum (enum use), including the unit: "cpu_ns". */
const char *use_name(unsigned int use);

/* Writes the name of a wait (enum wait, except WAIT_NONE) to @text: "file_io". Returns @text. */
const char *use_wait_name(unsigned int wait, char text[32]);

/*
 * Returns @value as a signed number, or 0 if that number is negative. A sum can be negative because clocks differ by
 * some microseconds, or because data was truncated before it was written.
 */
int64_t use_positive(uint64_t value);

/*
 * Marks in @uncounted the sums that are unknown because of the gap @name, a dotted name of a report. These sums are
 * unknown and not zero, because the program that adds them up is not loaded.
 */
void use_mark_uncounted(const char *name, bool uncounted[USES]);

/*
 * Adds the first @count sums to @object, each by its name. Leaves out sums that are zero, and marks this in @object
 * (SUM_REST). Adds null for each sum that is set in @uncounted. @object must not have these names yet.
 */
void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES]);

#endif
