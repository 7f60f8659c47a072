/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/common/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint32_t checksum(const void *data, size_t length)
{
	return crc32_z(0, data, length);
}

static uint32_t header_checksum(const struct frame_header *header)
{
	return checksum(header, offsetof(struct frame_header, header_crc));
}

char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size)
{
	struct frame_header header = {
		.version = FRAME_VERSION,
		.kind = kind,
		.length = length,
		.content_crc = checksum(content, length),
	};
	char *frame = malloc(sizeof(header) + length);

	if (!frame)
		return NULL;
	memcpy(header.magic, FRAME_MAGIC, sizeof(header.magic));
	header.header_crc = header_checksum(&header);
	memcpy(frame, &header, sizeof(header));
	memcpy(frame + sizeof(header), content, length);
	*size = sizeof(header) + length;
	return frame;
}

bool frame_begins(const char *data, size_t size)
{
	return size >= sizeof(FRAME_MAGIC) - 1 && memcmp(data, FRAME_MAGIC, sizeof(FRAME_MAGIC) - 1) == 0;
}

static const char *refuse(int why, const char *name, const char *what, struct error *err)
{
	errno = why;
	error_set(err, "%s: %s", name, what);
	return NULL;
}

const char *frame_content(const char *data, size_t size, enum frame_kind kind, const char *name, size_t *length,
			  struct error *err)
{
	struct frame_header header;

	if (size < sizeof(header) || !frame_begins(data, size))
		return refuse(EBADMSG, name, "damaged: it does not begin as it was written", err);
	memcpy(&header, data, sizeof(header));
	if (header.header_crc != header_checksum(&header))
		return refuse(EBADMSG, name, "damaged: the checksum of its header is wrong", err);
	if (header.version != FRAME_VERSION || header.kind != kind)
		return refuse(EPROTONOSUPPORT, name, "of another version of stint", err);
	if (header.length != size - sizeof(header))
		return refuse(EBADMSG, name, "torn: it is not as long as it was written", err);
	if (header.content_crc != checksum(data + sizeof(header), header.length))
		return refuse(EBADMSG, name, "damaged: its checksum is wrong", err);
	*length = header.length;
	return data + sizeof(header);
}
