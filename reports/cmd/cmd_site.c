/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs that need the store's database: stint-site does their work. stint itself is linked with no database. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/cmd/cmd.h"

#define PROGRAM "stint-site"

int site_run(char *verb, int argc, char *argv[])
{
	const char *directory = secure_getenv("STINT_LIBEXEC");
	cleanup_free char **arguments = calloc((size_t)argc + 2, sizeof(char *));
	char path[PATH_MAX];

	if (!arguments) {
		fprintf(stderr, "%s: out of memory\n", argv[0]);
		return EXIT_FAILURE;
	}
	snprintf(path, sizeof(path), "%s/" PROGRAM, directory ? directory : LIBEXECDIR);
	arguments[0] = path;
	arguments[1] = verb;
	memcpy(arguments + 2, argv + 1, (size_t)(argc - 1) * sizeof(char *));
	execv(path, arguments);
	if (errno == ENOENT)
		fprintf(stderr, "%s: " PROGRAM " is not installed here: it is for the host of the store (the package stint-site)\n", argv[0]);
	else
		fprintf(stderr, "%s: %s: %s\n", argv[0], path, strerror(errno));
	return EXIT_FAILURE;
}

int cmd_ingest(int argc, char *argv[])
{
	static char verb[] = "ingest";

	return site_run(verb, argc, argv);
}
