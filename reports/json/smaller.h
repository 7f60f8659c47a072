/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STINT_SMALLER_H
#define STINT_SMALLER_H

#include <stddef.h>

static inline size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

#endif
