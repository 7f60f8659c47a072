/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a frame around the content of a file that must survive a crash. The frame shows whether the file is whole,
 * torn or damaged. It is a header with the length and the checksum (CRC-32, like zlib) of the content, and with a
 * checksum of the header itself. Numbers are in the machine's byte order, because only the node that wrote a frame
 * reads it.
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
	FRAME_CLOSED = 2, /* the jobs that stintd closed most recently: collector/job/job.h */
	FRAME_LIVE = 3,   /* the handover of an open job, from one stintd to the next: collector/journal/handover.h */
	FRAME_KEPT = 4,   /* a processed message, in the journal: collector/journal/journal.h */
};

struct frame_header {
	char magic[8];         /* FRAME_MAGIC, without its NUL */
	uint32_t version;      /* FRAME_VERSION */
	uint32_t kind;         /* enum frame_kind */
	uint64_t length;       /* length of the content in bytes; the content follows the header */
	uint32_t content_crc;
	uint32_t header_crc;   /* checksum of all members above */
};

/*
 * Makes a frame: a header, and then @length bytes of @content. Sets *@size to the size of the frame.
 *
 * Returns the frame, which the caller frees; NULL if out of memory.
 */
char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size);

/*
 * Returns a checksum of @count values of sizeof and offsetof. A frame may hold structures exactly as they are in
 * memory. The program that reads such a frame compares this checksum, so it recognizes structures of another layout.
 */
uint32_t frame_layout(const size_t *sizes, size_t count);

/*
 * Returns the size of the frame at the start of @data, header included. Other data may follow the frame. Returns
 * @size if the header is damaged or incomplete, or if it claims more than @size bytes.
 */
size_t frame_size(const char *data, size_t size);

/* Returns the checksum that frames use. Also use it for data that follows a frame. */
uint32_t frame_checksum(const void *data, size_t length);

/* Returns whether @data begins with the magic of a frame. The frame may still be damaged. */
bool frame_begins(const char *data, size_t size);

/*
 * Checks the frame @data, which has @size bytes. @name is the name of its file, for error texts.
 *
 * Returns a pointer to the content within @data, and sets *@length; NULL with @err set. errno is EBADMSG if the frame
 * is torn or damaged, and EPROTONOSUPPORT if the frame is of another version or kind.
 */
const char *frame_content(const char *data, size_t size, enum frame_kind kind, const char *name, size_t *length,
			  struct error *err);

#endif
