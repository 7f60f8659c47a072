/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's "trackable resources" as text, "cpu=4,mem=7.50G,node=1,billing=4", and "generic" ones, "gpu:a100:2,gpu:v100:1". */
#ifndef STINT_TRES_H
#define STINT_TRES_H

#include <stdint.h>

/*
 * Reads the memory of @tres (may be NULL); Slurm writes it in MiB if it has no unit.
 *
 * Returns 0 with @bytes set; -1 if there is none, or it is not readable.
 */
int tres_memory(const char *tres, uint64_t *bytes);

/*
 * Reads the count of @name ("cpu", "node") in @tres (may be NULL).
 *
 * Returns 0 with @count set; -1 if there is none.
 */
int tres_count(const char *tres, const char *name, uint32_t *count);

/*
 * Adds up the counts of @name ("gpu"), of all its types, in @gres (may be NULL).
 *
 * Returns 0 with @count set; -1 if there is none.
 */
int gres_count(const char *gres, const char *name, uint32_t *count);

#endif
