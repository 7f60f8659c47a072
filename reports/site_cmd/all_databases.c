/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site_cmd/all_databases.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/facts/site_tables.h"
#include "reports/ingest/watch_retry.h"
#include "reports/site_cmd/failure.h"
#include "reports/site_cmd/one_database.h"
#include "reports/terminal/progress_line.h"

/*
 * Works on one of several databases, in its own process. With --watch, waits until the database can be opened,
 * because others may work meanwhile.
 */
static _Noreturn void work_on(struct site_conf *conf, size_t which, const struct ingest_options *arguments,
			      pid_t parent)
{
	struct watch_retry retry = { 0 };
	struct database *db = NULL;
	struct error err;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	site_conf_choose(conf, which);
	snprintf(failure_who, sizeof(failure_who), WHO ": the database of %.400s",
		 site_conf_whose(&conf->databases[which]));
	progress_line_off(); /* the processes share a terminal */
	while (arguments->watch && !one_database_is_gone(conf, &err) &&
	       !(db = database_open(conf->database, site_tables, false, &err)))
		sleep((unsigned int)watch_retry_failed(&retry, failure_who, &err));
	watch_retry_worked(&retry, failure_who);
	database_close(db);
	exit(one_database(conf, arguments));
}

static int result_of(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

int all_databases(struct site_conf *conf, const struct ingest_options *arguments)
{
	cleanup_free pid_t *children = calloc(conf->database_count, sizeof(*children));
	int result = children ? EXIT_SUCCESS : fail("out of memory"), one;
	pid_t parent = getpid();

	for (size_t i = 0; children && i < conf->database_count; i++) {
		if (arguments->checksum) {
			printf("# %s\n", site_conf_whose(&conf->databases[i]));
			fflush(stdout);
		}
		children[i] = fork();
		if (children[i] == 0)
			work_on(conf, i, arguments, parent);
		if (children[i] < 0)
			result = fail(strerror(errno));
		/* wait for each process, so that the checksums are printed one after the other */
		if (children[i] > 0 && arguments->checksum && result_of(children[i]) != EXIT_SUCCESS)
			result = EXIT_FAILURE;
	}
	for (size_t i = 0; children && !arguments->checksum && i < conf->database_count; i++) {
		one = children[i] > 0 ? result_of(children[i]) : EXIT_FAILURE;
		result = one > result ? one : result;
	}
	return result;
}
