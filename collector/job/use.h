/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of sums and waits in the node record. */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

/* Returns the name of a sum (enum use) with its unit: "cpu_ns". */
const char *use_name(unsigned int use);

/* Writes the name of a wait to @text, like "file_io". WAIT_NONE has no name. Returns @text. */
const char *use_wait_name(unsigned int wait, char text[32]);

/*
 * Returns @value; 0 if it is negative. This happens because clocks differ by some microseconds, and because bytes may
 * be truncated before they are written.
 */
int64_t use_positive(uint64_t value);

/* Marks the sums that the gap @name makes unknown. */
void use_mark_uncounted(const char *name, bool uncounted[USES]);

/*
 * Adds the first @count sums to @object. Leaves out zeros, and says so (SUM_REST). Unknown sums (@uncounted) are null.
 * @object must not have the sums yet.
 */
void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES]);

#endif
