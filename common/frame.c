/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

uint32_t frame_checksum(const void *data, size_t length)
{
	return crc32_z(0, data, length);
}

static uint32_t header_checksum(const struct frame_header *header)
{
	return frame_checksum(header, offsetof(struct frame_header, header_crc));
}

char *frame_make(enum frame_kind kind, const void *content, size_t length, size_t *size)
{
	struct frame_header header = {
		.version = FRAME_VERSION,
		.kind = kind,
		.length = length,
		.content_crc = frame_checksum(content, length),
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

uint32_t frame_layout(const size_t *sizes, size_t count)
{
	return frame_checksum(sizes, count * sizeof(*sizes));
}

bool frame_begins(const char *data, size_t size)
{
	return size >= sizeof(FRAME_MAGIC) - 1 && memcmp(data, FRAME_MAGIC, sizeof(FRAME_MAGIC) - 1) == 0;
}

size_t frame_size(const char *data, size_t size)
{
	struct frame_header header;

	if (size < sizeof(header) || !frame_begins(data, size))
		return size;
	memcpy(&header, data, sizeof(header));
	if (header.header_crc != header_checksum(&header) || header.length > size - sizeof(header))
		return size;
	return sizeof(header) + header.length;
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
		return refuse(EBADMSG, name, "damaged: it does not begin like a file of stint", err);
	memcpy(&header, data, sizeof(header));
	if (header.header_crc != header_checksum(&header))
		return refuse(EBADMSG, name, "damaged: the checksum of its header is wrong", err);
	if (header.version != FRAME_VERSION || header.kind != kind)
		return refuse(EPROTONOSUPPORT, name, "another version of stint wrote it", err);
	if (header.length != size - sizeof(header))
		return refuse(EBADMSG, name, "torn: its length is not the length that was written", err);
	if (header.content_crc != frame_checksum(data + sizeof(header), header.length))
		return refuse(EBADMSG, name, "damaged: its checksum is wrong", err);
	*length = header.length;
	return data + sizeof(header);
}
