/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel function bpf_rdonly_cast(), as the kernel programs call it (bpf/cast.h). */
#ifndef STINT_CASTS_H
#define STINT_CASTS_H

struct bpf_object;

/*
 * Makes the programs of @object, which is not loaded yet, call the kernel function with the number @function in the
 * kernel's BTF. Returns how many calls there are; a negative errno if out of memory.
 */
int casts_set(struct bpf_object *object, unsigned int function);

#endif
