/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/gzip64.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "common/cleanup.h"

#define GZIP_WINDOW (15 + 16) /* zlib's largest window (15), with gzip's header and trailer (16) */

const char gzip64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned char *compress_text(const char *text, size_t *length, int level)
{
	z_stream stream = { .next_in = (unsigned char *)(uintptr_t)text, .avail_in = *length };
	unsigned char *out;
	size_t size;

	if (*length > UINT32_MAX ||
	    deflateInit2(&stream, level, Z_DEFLATED, GZIP_WINDOW, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	size = deflateBound(&stream, *length);
	out = malloc(size);
	stream.next_out = out;
	stream.avail_out = size;
	if (out && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
		free(out);
		out = NULL;
	}
	*length = stream.total_out;
	deflateEnd(&stream);
	return out;
}

char *gzip64(const char *text, size_t length, int level)
{
	cleanup_free unsigned char *data = compress_text(text, &length, level);
	char *base64 = data ? malloc((length + 2) / 3 * 4 + 1) : NULL, *out = base64;

	for (size_t i = 0; base64 && i < length; i += 3) {
		size_t left = length - i;
		unsigned int bits = data[i] << 16;

		bits |= left > 1 ? data[i + 1] << 8 : 0;
		bits |= left > 2 ? data[i + 2] : 0;
		*out++ = gzip64_digits[bits >> 18];
		*out++ = gzip64_digits[bits >> 12 & 63];
		*out++ = left > 1 ? gzip64_digits[bits >> 6 & 63] : '=';
		*out++ = left > 2 ? gzip64_digits[bits & 63] : '=';
	}
	if (out)
		*out = '\0';
	return base64;
}
