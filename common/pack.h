/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs structures that are mostly zero (their texts have room for the longest possible) into few bytes: it writes only the
 * length of each run of zeros.
 */
#ifndef STINT_PACK_H
#define STINT_PACK_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Returns the most bytes that @size bytes can become.
 */
size_t pack_room(size_t size);

/* Packs @size bytes of @data into @out, which has pack_room() bytes. Returns the packed size. */
size_t pack(const void *data, size_t size, void *out);

/*
 * Unpacks @length bytes of @packed into @out, which has @room bytes. Returns the unpacked size; -1 if there is not
 * enough room, or pack() did not make @packed.
 */
ssize_t unpack(const void *packed, size_t length, void *out, size_t room);

#endif
