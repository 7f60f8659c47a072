/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that sums and waits have in the node record. */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

/* The name of one of the sums (enum use), with its unit: "cpu_ns". */
const char *use_name(unsigned int use);

/* The name of a wait (enum wait, except WAIT_NONE): "file_io". Returns @text. */
const char *use_wait_name(unsigned int wait, char text[32]);

/*
 * Returns 0 for a sum below zero. Differences between clocks (some microseconds), or values truncated before they were
 * written, can cause that.
 */
int64_t use_positive(uint64_t value);

/*
 * Marks in @uncounted the sums that the gap @name, a report's dotted name, is about: a program that is not loaded would
 * have added them up. They are not zero.
 */
void use_mark_uncounted(const char *name, bool uncounted[USES]);

/*
 * Adds the first @count sums to @object, which has none yet: each by its name, except zeros (SUM_REST). Those that are
 * @uncounted are null.
 */
void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES]);

#endif
