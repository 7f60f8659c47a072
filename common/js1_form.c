/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/js1_form.h"

#include <string.h>

bool js1_valid(const char *text)
{
	static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t length = strlen(text), digits;

	if (strcmp(text, JS1_NONE) == 0 || strcmp(text, JS1_SHORT) == 0)
		return true;
	if (length <= strlen(JS1_PREFIX) || length > JS1_LENGTH_MAX ||
	    strncmp(text, JS1_PREFIX, strlen(JS1_PREFIX)) != 0)
		return false;
	text += strlen(JS1_PREFIX);
	length -= strlen(JS1_PREFIX);
	digits = strspn(text, base64);
	return length % 4 == 0 && length - digits <= 2 && strspn(text + digits, "=") == length - digits;
}

bool js1_may_replace(const char *comment)
{
	return !comment || !*comment || js1_valid(comment);
}
