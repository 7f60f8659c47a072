/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/security/forbidden.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define LOCKDOWN "/sys/kernel/security/lockdown" /* "none integrity [confidentiality]" */
#define ENFORCE "/sys/fs/selinux/enforce"	 /* "1" */
#define FILE_MAX 4096

bool forbidden_by_lockdown(void)
{
	cleanup_free char *text = file_read(AT_FDCWD, LOCKDOWN, FILE_MAX, NULL, NULL);

	return text && strstr(text, "[confidentiality]");
}

bool forbidden_by_selinux(void)
{
	cleanup_free char *text = file_read(AT_FDCWD, ENFORCE, FILE_MAX, NULL, NULL);

	return text && text[0] == '1';
}
