/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept on disk over a crash stands in a frame, so that a torn or damaged
 * file is told from a whole one: a header with the content's length and checksum
 * (CRC-32 as zlib has it), and one of its own. A frame is read on the node that wrote it:
 * numbers are as the machine has them.
 */
#ifndef STINT_FRAME_H
#define STINT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/common/error.h"

#define FRAME_MAGIC "STINTFRM"
#define FRAME_VERSION 1

enum frame_kind {
	FRAME_RECORD = 1, /* a node record's JSON text: docs/record.md */
	FRAME_CLOSED = 2, /* the jobs that were closed last: collector/job.h */
};

struct frame_header {
	char magic[8];         /* FRAME_MAGIC, without its NUL */
	uint32_t version;      /* FRAME_VERSION */
	uint32_t kind;         /* enum frame_kind */
	uint64_t length;       /* bytes of content behind the header, and nothing behind that */
	uint32_t content_crc;
	uint32_t header_crc;   /* of all above */
};

/*
 * Puts a header before @length bytes of @content.
 *
 * Returns the frame of *@size bytes, to be freed; NULL when there is no memory.
 */
char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size);

/* Whether @data begins as a frame does, damaged or not. */
bool frame_begins(const char *data, size_t size);

/*
 * Checks the frame @data of @size bytes, of a file called @name.
 *
 * Returns its content, within @data, with *@length; NULL with @err set: errno is EBADMSG when it is
 * torn or damaged, and EPROTONOSUPPORT when it is of another version or kind.
 */
const char *frame_content(const char *data, size_t size, enum frame_kind kind, const char *name, size_t *length,
			  struct error *err);

#endif
