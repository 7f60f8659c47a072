/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void collector_log(const char *format, ...)
{
	char stamp[32] = "", text[1024];
	va_list args;

	if (!getenv("JOURNAL_STREAM")) {
		time_t now = time(NULL);
		struct tm local;

		localtime_r(&now, &local);
		strftime(stamp, sizeof(stamp), "%FT%T ", &local);
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "%sstintd: %s\n", stamp, text);
}
