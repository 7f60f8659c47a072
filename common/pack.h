/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs structures that are mostly zero into few bytes. */
#ifndef STINT_PACK_H
#define STINT_PACK_H

#include <stddef.h>
#include <sys/types.h>

/* Returns the most bytes that pack() makes of @size bytes. */
size_t pack_room(size_t size);

/* Packs @size bytes of @data into @out, which has room for pack_room(@size). Returns the packed size in bytes. */
size_t pack(const void *data, size_t size, void *out);

/*
 * Unpacks @length bytes of @packed into @out, which has @room bytes.
 * Returns the number of bytes; -1 if @packed is bad, or the room too small.
 */
ssize_t unpack(const void *packed, size_t length, void *out, size_t room);

#endif
