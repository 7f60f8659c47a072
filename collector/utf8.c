/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	uint32_t code = length > 1 ? s[0] & (0x7f >> length) : s[0];

	if (!s[0])
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff)) ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

struct json_object *utf8_json(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	cleanup_free char *clean = malloc(strlen(text) * 3 + 1);
	size_t used = 0;

	if (!clean)
		return NULL;
	while (*text) {
		size_t length = utf8_length(text);

		memcpy(clean + used, length ? text : replacement, length ? length : 3);
		used += length ? length : 3;
		text += length ? length : 1;
	}
	return json_object_new_string_len(clean, used);
}
