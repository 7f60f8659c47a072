/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets up the calls of the kernel function bpf_rdonly_cast() in the kernel programs (bpf/cast.h).
 */
#ifndef STINT_CASTS_H
#define STINT_CASTS_H

struct bpf_object;

/*
 * Makes the programs of @object call the kernel function that has the number @function in the kernel's BTF. @object
 * must not be loaded yet. Returns the number of calls; a negative errno if out of memory.
 */
int casts_set(struct bpf_object *object, unsigned int function);

#endif
