/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/log_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/escape.h"

bool log_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM"); /* DEVICE:INODE */
	uintmax_t device, inode;
	struct stat st;
	char more;

	return stream && sscanf(stream, "%ju:%ju%c", &device, &inode, &more) == 2 && fstat(STDERR_FILENO, &st) == 0 &&
	       st.st_dev == device && st.st_ino == inode;
}

void log_line(int priority, const char *program, const char *format, ...)
{
	char text[2048], shown[4 * sizeof(text)], mark[8] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (log_is_journal())
		snprintf(mark, sizeof(mark), "<%d>", priority);
	fprintf(stderr, "%s%s: %s\n", mark, program, escape_text(text, shown, sizeof(shown)));
}
