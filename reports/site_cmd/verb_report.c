/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/facts/site_report.h"
#include "reports/model/report_write.h"
#include "reports/read/locate.h"
#include "reports/site_cmd/opened_stores.h"
#include "reports/site_cmd/site_rules.h"
#include "reports/site_cmd/verbs.h"
#include "reports/slurm/slurm_conf.h"

/*
 * Fills @name with the name of this host's cluster from slurm.conf. Sets it to "" if slurm.conf does not name the
 * cluster.
 */
static void local_cluster(char name[SITE_TEXT])
{
	if (!slurm_conf_ask("ClusterName", name, SITE_TEXT))
		name[0] = '\0';
}

static int print_site_report(const struct report *report)
{
	size_t len;
	cleanup_free char *text = report_write(report, &len);

	if (!text) {
		fprintf(stderr, "out of memory\n");
		return EXIT_FAILURE;
	}
	fputs(text, stdout);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * Prints one line that says why there is no report. Returns EXIT_SUCCESS, because this is an answer for stint and
 * not a failure.
 */
static int print_instead(char what, const char *text)
{
	printf("%c%s\n", what, text);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const char answers[SITE_LACKS] = {
	[SITE_SEVERAL] = SITE_ASK, [SITE_NO_RECORD] = SITE_WHY, [SITE_NO_JOB] = SITE_NONE
};

/* Positions of the last arguments of stint-site report, counted from the end. */
enum { JOB_ARGUMENT = 1, ATTEMPT_ARGUMENT, CLUSTER_ARGUMENT, CONFIG_ARGUMENT };

/* Parses the arguments that stint passes for a report into @question. Returns false if they are invalid. */
static bool read_question(int argc, char *argv[], struct site_question *question)
{
	struct locate_job job;
	char *end;

	if (argc <= CONFIG_ARGUMENT || !locate_parse_job(argv[argc - JOB_ARGUMENT], &job))
		return false;
	*question = (struct site_question){
		.name = argv[argc - JOB_ARGUMENT], .id = job.id, .task = job.task, .offset = job.offset
	};
	question->attempt = strtoll(argv[argc - ATTEMPT_ARGUMENT], &end, 10);
	question->cluster = *argv[argc - CLUSTER_ARGUMENT] ? argv[argc - CLUSTER_ARGUMENT] : NULL;
	return question->attempt >= 0 && !*end;
}

/*
 * Asks the databases one after the other, and first the database of this host's cluster. Stops if this database
 * has the job. If the question names a cluster, stops at any database that has the job. Otherwise asks all
 * databases, because several clusters may have a job of this number.
 */
static struct report *ask_stores(struct site_question *question, const struct rules *rules, struct error *err)
{
	/*
	 * A reason replaces an earlier reason of a lower rank. A database that cannot be read ranks above a database
	 * without the job, because the unread database may have the job.
	 */
	static const int rank[SITE_LACKS + 1] = {
		[SITE_NO_JOB] = 1, [SITE_FAILED] = 2, [SITE_NO_RECORD] = 3, [SITE_SEVERAL] = 4
	};
	struct report *found = NULL;
	struct error why;

	question->lack = SITE_LACKS;
	for (size_t i = 0; i < opened_stores.count; i++) {
		struct site_question one = *question;
		struct report *report = NULL;

		one.lack = SITE_FAILED;
		why = opened_stores.list[i].why;
		if (opened_stores.list[i].db)
			report = site_report(opened_stores.list[i].db, &one, rules, &why);
		if (report && found) {
			question->lack = SITE_SEVERAL;
			error_set(err,
				  "several clusters have a job %.64s: %.100s, %.100s. Choose one with --cluster=NAME",
				  question->name, found->job.cluster, report->job.cluster);
			report_free(report);
			report_free(found);
			return NULL;
		}
		if (report)
			found = report;
		else if (rank[one.lack] > rank[question->lack]) {
			question->lack = one.lack;
			*err = why;
		}
		if (found && (one.cluster || opened_stores.list[i].preferred))
			break;
	}
	return found;
}

int verb_report(int argc, char *argv[])
{
	cleanup_report struct report *report = NULL;
	struct site_question question = { 0 };
	char local[SITE_TEXT];
	struct rules rules;
	struct error err;

	if (!read_question(argc, argv, &question)) {
		fprintf(stderr, "which job?\n");
		return USAGE_EXIT;
	}
	local_cluster(local);
	question.local = local;
	opened_stores_open(argc, argv, question.cluster, local);
	site_rules_load(*argv[argc - CONFIG_ARGUMENT] ? argv[argc - CONFIG_ARGUMENT] : NULL, &rules);
	err = opened_error;
	if (!opened_error.text[0])
		report = ask_stores(&question, &rules, &err);
	if (!report && question.lack != SITE_SEVERAL && question.lack != SITE_NO_RECORD && opened_stores_rebuilding())
		error_set(&err, "%s", REBUILDING);
	site_stores_close(&opened_stores);
	if (report)
		return print_site_report(report);
	if (question.lack != SITE_FAILED)
		return print_instead(answers[question.lack], err.text);
	fprintf(stderr, "%s\n", err.text);
	return EXIT_FAILURE;
}
