/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs structures into few bytes. The structures are mostly zero, because each of their text fields has room for the
 * longest possible text. For each sequence of zeros, writes only the length of the sequence.
 */
#ifndef STINT_PACK_H
#define STINT_PACK_H

#include <stddef.h>
#include <sys/types.h>

/* Returns the largest number of bytes that pack() can make from @size bytes. */
size_t pack_room(size_t size);

/* Packs @size bytes of @data into @out, which must have room for pack_room(@size) bytes. Returns the packed size in bytes. */
size_t pack(const void *data, size_t size, void *out);

/*
 * Unpacks @length bytes of @packed into @out, which has room for @room bytes. Returns the number of unpacked bytes;
 * -1 if @out has too little room, or if @packed is not a result of pack().
 */
ssize_t unpack(const void *packed, size_t length, void *out, size_t room);

#endif
