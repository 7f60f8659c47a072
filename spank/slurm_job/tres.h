/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads Slurm's "trackable resources" ("cpu=4,mem=7.50G,node=1,billing=4") and "generic" resources
 * ("gpu:a100:2,gpu:v100:1").
 */
#ifndef STINT_TRES_H
#define STINT_TRES_H

#include <stdint.h>

/*
 * Reads the memory in @tres, which may be NULL. A number without a unit is in MiB.
 *
 * Returns 0 with *@bytes set; -1 if there is none, or it cannot be read.
 */
int tres_memory(const char *tres, uint64_t *bytes);

/*
 * Reads the count of @name ("cpu", "node") in @tres, which may be NULL.
 *
 * Returns 0 with *@count set; -1 if there is none.
 */
int tres_count(const char *tres, const char *name, uint32_t *count);

/*
 * Adds up the counts of all types of @name ("gpu") in @gres, which may be NULL.
 *
 * Returns 0 with *@count set; -1 if there is none.
 */
int gres_count(const char *gres, const char *name, uint32_t *count);

#endif
