/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What threads use and wait for, by the names of the node record. */
#ifndef STINT_USE_H
#define STINT_USE_H

#include <json-c/json.h>
#include <linux/types.h>
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

/* Adds the first @count sums to @object, each by its name. */
void use_add(struct json_object *object, const __u64 *use, unsigned int count);

#endif
