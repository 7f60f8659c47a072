/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files on disk that must survive a crash have a frame, which distinguishes a torn or damaged file from a whole one: a
 * header with the content's length and checksum (CRC-32, like zlib), and a checksum of its own. Only the node that
 * wrote a frame reads it, so numbers are in the machine's byte order.
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
	FRAME_RECORD = 1, /* a node record's JSON text: docs/record.md */
	FRAME_CLOSED = 2, /* the last closed jobs: collector/job/job.h */
	FRAME_LIVE = 3,   /* what one stintd hands over to the next about an open job: collector/journal/handover.h */
	FRAME_KEPT = 4,   /* a processed message, in the journal: collector/journal/journal.h */
};

struct frame_header {
	char magic[8];         /* FRAME_MAGIC, without its NUL */
	uint32_t version;      /* FRAME_VERSION */
	uint32_t kind;         /* enum frame_kind */
	uint64_t length;       /* bytes of content, which follows the header */
	uint32_t content_crc;
	uint32_t header_crc;   /* of all above */
};

/*
 * Puts a header before @length bytes of @content.
 *
 * Returns the frame of *@size bytes, which the caller frees; NULL if out of memory.
 */
char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size);

/*
 * A number by which a frame's reader recognizes structures of another layout, for frames that hold structures in their
 * memory form. @sizes are their sizeof and offsetof values, @count of them.
 */
uint32_t frame_layout(const size_t *sizes, size_t count);

/*
 * Returns the whole size of the frame at the start of @data, by its header; more data may follow a frame. Returns @size
 * if that cannot be known, or if the header says more.
 */
size_t frame_size(const char *data, size_t size);

/* The checksum that frames use, for data that follows a frame. */
uint32_t frame_checksum(const void *data, size_t length);

/* Whether @data begins like a frame, damaged or not. */
bool frame_begins(const char *data, size_t size);

/*
 * Checks the frame @data of @size bytes, from a file called @name.
 *
 * Returns its content, within @data, and sets *@length; NULL with @err set. errno is EBADMSG if the frame is torn or
 * damaged, and EPROTONOSUPPORT if it is of another version or kind.
 */
const char *frame_content(const char *data, size_t size, enum frame_kind kind, const char *name, size_t *length,
			  struct error *err);

#endif
