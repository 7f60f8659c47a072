/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of sums and waits in the node record. */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

/* Returns the name of a sum (enum use), with its unit: "cpu_ns". */
const char *use_name(unsigned int use);

/* Writes the name of a wait (enum wait, except WAIT_NONE) to @text: "file_io". Returns @text. */
const char *use_wait_name(unsigned int wait, char text[32]);

/*
 * Returns @value as a signed number, or 0 if it is negative. Differences between clocks (some microseconds), or values
 * that were truncated before they were written, can make a sum negative.
 */
int64_t use_positive(uint64_t value);

/*
 * Marks in @uncounted the sums that belong to the gap @name, a dotted name of a report. A program that is not loaded
 * would have added these sums up, so they are unknown and not zero.
 */
void use_mark_uncounted(const char *name, bool uncounted[USES]);

/*
 * Adds the first @count sums to @object, each by its name. Leaves out zeros and says so (SUM_REST). Sums that are
 * @uncounted become null. @object must not have these names yet.
 */
void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES]);

#endif
