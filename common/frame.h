/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a header before a file's content. After a crash, the header shows whether the content is whole.
 *
 * The header has the length and CRC-32 (like zlib) of the content, and a CRC-32 of the header.
 * Numbers are in the machine's byte order, because only the node that wrote a frame reads it.
 */
#ifndef STINT_FRAME_H
#define STINT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define FRAME_MAGIC "STINTFRM"
#define FRAME_VERSION 1

enum frame_kind {
	FRAME_RECORD = 1, /* a node record: docs/record.md */
	FRAME_CLOSED = 2, /* the jobs that were closed last: collector/job/job.h */
	FRAME_LIVE = 3,   /* the handover of an open job: collector/journal/handover.h */
	FRAME_KEPT = 4,   /* a processed message: collector/journal/journal.h */
};

struct frame_header {
	char magic[8];
	uint32_t version;      /* FRAME_VERSION */
	uint32_t kind;         /* enum frame_kind */
	uint64_t length;       /* of the content, in bytes */
	uint32_t content_crc;
	uint32_t header_crc;
};

/*
 * Makes a frame of @length bytes of @content, and sets *@size.
 *
 * Returns the frame, which the caller frees; NULL if out of memory.
 */
char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size);

/*
 * Returns a checksum of sizes and offsets of structures that a frame holds.
 * If the checksum differs, the frame was written with another layout.
 */
uint32_t frame_layout(const size_t *sizes, size_t count);

/*
 * Returns the size of the frame at the start of @data, with its header.
 * Returns @size if the header is damaged or incomplete.
 */
size_t frame_size(const char *data, size_t size);

/* Returns the checksum that frames use. */
uint32_t frame_checksum(const void *data, size_t length);

/* Returns whether @data begins with a frame's magic. The frame may still be damaged. */
bool frame_begins(const char *data, size_t size);

/*
 * Checks the frame @data of @size bytes. @name is for error texts.
 *
 * Returns the content within @data, and sets *@length; NULL with @err and errno set:
 * - EBADMSG: torn or damaged
 * - EPROTONOSUPPORT: another version or kind
 */
const char *frame_content(const char *data, size_t size, enum frame_kind kind, const char *name, size_t *length,
			  struct error *err);

#endif
