/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What threads use and wait for, by the names of the node record. */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"

/* The name of one of the sums (enum use), with its unit: "cpu_ns". */
const char *use_name(unsigned int use);

/* The name of a wait (enum wait, but WAIT_NONE): "file_io". Returns @text. */
const char *use_wait_name(unsigned int wait, char text[32]);

/*
 * What stands for a sum that may have become less than nothing by some microseconds, or by what was
 * truncated before it was written: nothing.
 */
int64_t use_positive(uint64_t value);

/*
 * Marks in @uncounted the sums that the gap @name, a report's dotted name, is about: what a program that is not
 * loaded would have added up. Nothing is told of them: they are not zero.
 */
void use_mark_uncounted(const char *name, bool uncounted[USES]);

/* Adds the first @count sums to @object, each by its name, but those that are @uncounted. */
void use_add(struct json_object *object, const __u64 *use, unsigned int count, const bool uncounted[USES]);

#endif
