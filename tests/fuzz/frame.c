/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the frame of files that must survive a crash.
 * First byte even: the rest is a frame to read.
 * First byte odd: a frame made from the rest is read, but not after one change to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/frame.h"
#include "tests/fuzz/fuzz.h"

static void read_frame(const char *data, size_t size)
{
	struct error err = { "" };
	size_t length = 0;
	const char *content;

	errno = 0;
	content = frame_content(data, size, FRAME_RECORD, "frame", &length, &err);
	if (content)
		HOLDS(frame_begins(data, size) && content > data && content + length == data + size);
	else
		HOLDS(err.text[0] && (errno == EBADMSG || errno == EPROTONOSUPPORT));
}

static void make_frame(const char *data, size_t size, size_t at, uint8_t change)
{
	size_t whole, length = 0;
	char *frame = frame_make(FRAME_RECORD, data, size, &whole);
	const char *content;
	struct error err;

	HOLDS(frame && whole == sizeof(struct frame_header) + size);
	content = frame_content(frame, whole, FRAME_RECORD, "frame", &length, &err);
	HOLDS(content && length == size && memcmp(content, data, size) == 0);
	HOLDS(!frame_content(frame, whole, FRAME_CLOSED, "frame", &length, &err));
	HOLDS(!frame_content(frame, at % whole, FRAME_RECORD, "frame", &length, &err));
	if (change) {
		frame[at % whole] ^= (char)change;
		HOLDS(!frame_content(frame, whole, FRAME_RECORD, "frame", &length, &err));
	}
	free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t way = fuzz_number(&data, &size, 1);
	size_t at = fuzz_number(&data, &size, way & 1 ? 2 : 0);
	uint8_t change = fuzz_number(&data, &size, way & 1 ? 1 : 0);
	char *copy = malloc(size + !size);

	HOLDS(copy);
	memcpy(copy, data, size);
	if (way & 1)
		make_frame(copy, size, at, change);
	else
		read_frame(copy, size);
	free(copy);
	return 0;
}
