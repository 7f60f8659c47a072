/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs that need the store's database. stint-site does their work, because stint itself is not linked with a
 * database.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/cmd/cmd.h"
#include "reports/ingest/site_conf.h"
#include "reports/model/report_read.h"

#define PROGRAM "stint-site"

#define ANSWER_MAX (64u << 20)
#define ANSWER_MS 60000

static const char *program(char path[PATH_MAX])
{
	const char *directory = secure_getenv("STINT_LIBEXEC");

	snprintf(path, PATH_MAX, "%s/" PROGRAM, directory ? directory : LIBEXECDIR);
	return path;
}

bool site_there(const char *site)
{
	return site || access(SITE_CONF_PATH, R_OK) == 0;
}

struct report *site_find_report(const char *job, const char *cluster, const char *site, const char *config,
				struct error *err)
{
	const char *arguments[8] = { NULL, "report" }; /* the last one stays NULL */
	char path[PATH_MAX], *text;
	size_t length, count = 2;

	arguments[0] = program(path);
	if (site) {
		arguments[count++] = "--site";
		arguments[count++] = site;
	}
	arguments[count++] = config ? config : "";
	arguments[count++] = cluster ? cluster : "";
	arguments[count] = job;
	text = subprocess_output(arguments, ANSWER_MS, ANSWER_MAX, &length, err);
	if (text && *text != SITE_ASK && *text != SITE_WHY)
		return report_read(text, length, &report_want_all, PROGRAM, err);
	if (text)
		error_set(err, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
	errno = !text ? 0 : *text == SITE_ASK ? ENOTUNIQ : ENODATA;
	free(text);
	return NULL;
}

int site_run(char *verb, int argc, char *argv[])
{
	cleanup_free char **arguments = calloc((size_t)argc + 2, sizeof(char *));
	char path[PATH_MAX];

	if (!arguments) {
		fprintf(stderr, "%s: out of memory\n", argv[0]);
		return EXIT_FAILURE;
	}
	program(path);
	arguments[0] = path;
	arguments[1] = verb;
	memcpy(arguments + 2, argv + 1, (size_t)(argc - 1) * sizeof(char *));
	execv(path, arguments);
	if (errno == ENOENT)
		fprintf(stderr, "%s: " PROGRAM " is not installed here: the host of the store needs it (the package stint-site)\n",
			argv[0]);
	else
		fprintf(stderr, "%s: %s: %s\n", argv[0], path, strerror(errno));
	return EXIT_FAILURE;
}

int cmd_ingest(int argc, char *argv[])
{
	static char verb[] = "ingest";

	/*
	 * ingest allocates and frees thousands of small objects for each line. If the C library caches more of them per
	 * thread, ingest needs an eighth less time.
	 */
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=4000", 0);
	return site_run(verb, argc, argv);
}
