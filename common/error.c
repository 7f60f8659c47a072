/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

int error_set(struct error *err, const char *format, ...)
{
	int saved = errno;

	if (err) {
		va_list args;

		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
		utf8_finish(err->text);
	}
	errno = saved;
	return -1;
}

int error_errno(struct error *err, const char *format, ...)
{
	int saved = errno;

	if (err) {
		va_list args;
		size_t used;

		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
		used = strlen(err->text);
		snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(saved));
		utf8_finish(err->text);
	}
	errno = saved;
	return -1;
}
