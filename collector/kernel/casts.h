/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up calls of the kernel function bpf_rdonly_cast() (bpf/cast.h). */
#ifndef STINT_CASTS_H
#define STINT_CASTS_H

struct bpf_object;

/*
 * Makes the programs of @object call the kernel function with the BTF number @function.
 * @object must not be loaded yet.
 *
 * Returns the number of calls; a negative errno if out of memory.
 */
int casts_set(struct bpf_object *object, unsigned int function);

#endif
