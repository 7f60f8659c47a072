/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-site: does the work of the verbs that need the store's database. `stint` starts it, because no other
 * program is linked with a database.
 */
#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/usage.h"
#include "reports/site_cmd/verbs.h"

const char *argp_program_version = "stint " PACKAGE_VERSION;

static const struct verb {
	const char *name;
	const char *said; /* begins the verb's messages */
	int least; /* least number of arguments, the verb included */
	int (*run)(int argc, char *argv[]);
} verbs[] = {
	{ "ingest", "stint ingest", 1, verb_ingest },
	{ "summary", "stint summary", 1, verb_summary },
	{ "report", "report", 1, verb_report },
	{ "doctor", "doctor", 2, verb_doctor },
};

int main(int argc, char *argv[])
{
	setlocale(LC_CTYPE, "");
	for (size_t i = 0; argc >= 2 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(argv[1], verbs[i].name) != 0 || argc <= verbs[i].least)
			continue;
		argv[1] = (char *)verbs[i].said;
		return verbs[i].run(argc - 1, argv + 1);
	}
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return puts("stint-site " PACKAGE_VERSION) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	fprintf(stderr, "stint-site: only stint starts this program\n");
	return USAGE_EXIT;
}
