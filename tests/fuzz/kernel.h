/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the place of the kernel programs: all that "programs.h" tells of jobs is
 * made of an input's bytes, texts that are no UTF-8 and numbers without sense among them.
 */
#ifndef STINT_FUZZ_KERNEL_H
#define STINT_FUZZ_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Forgets all, and tells what is made of @data from now on, which is borrowed. */
void kernel_begin(const uint8_t *data, size_t size);

#endif
