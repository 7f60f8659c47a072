/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs stint-site for verbs that need the store: stint is not linked with a database. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/ingest_options.h"
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

static int no_report(char first)
{
	switch (first) {
	case SITE_ASK:
		return ENOTUNIQ;
	case SITE_WHY:
		return ENODATA;
	case SITE_NONE:
		return ENOENT;
	default:
		return 0;
	}
}

struct report *site_find_report(const struct site_job *job, const char *site, const char *config, struct error *err)
{
	const char *arguments[9] = { NULL, "report" }; /* the last one stays NULL */
	char path[PATH_MAX], attempt[24], *text;
	struct report *report = NULL;
	size_t length, count = 2;
	int why;

	arguments[0] = program(path);
	if (site) {
		arguments[count++] = "--site";
		arguments[count++] = site;
	}
	snprintf(attempt, sizeof(attempt), "%lld", (long long)job->attempt);
	arguments[count++] = config ? config : "";
	arguments[count++] = job->cluster ? job->cluster : "";
	arguments[count++] = attempt;
	arguments[count] = job->name;
	text = subprocess_output(arguments, ANSWER_MS, ANSWER_MAX, &length, err);
	if (!text) {
		errno = 0;
		return NULL;
	}
	why = no_report(*text);
	if (why) {
		error_set(err, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
		free(text);
	} else {
		report = report_read(text, length, &report_want_all, PROGRAM, err);
	}
	errno = why;
	return report;
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
		fprintf(stderr, "%s: " PROGRAM " is not installed here: the host of the store needs it (the package " PROGRAM "; configure --with-site)\n",
			argv[0]);
	else
		fprintf(stderr, "%s: %s: %s\n", argv[0], path, strerror(errno));
	return EXIT_FAILURE;
}

int cmd_ingest(int argc, char *argv[])
{
	static char verb[] = "ingest";
	struct ingest_options options = { 0 };
	char path[PATH_MAX];

	/* Without stint-site, parse the options here, for --help and for messages about wrong options. */
	if (access(program(path), F_OK) < 0 && errno == ENOENT)
		usage_parse(&ingest_argp, argc, argv, 0, &options);

	/* Ingest takes an eighth less time if glibc caches more freed objects per thread. */
	setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=4000", 0);
	return site_run(verb, argc, argv);
}
