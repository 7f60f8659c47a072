/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-slurm-job: asks slurmctld for one job, and prints what it says as
 * JSON; and has slurmdbd keep a job's AdminComment. A program of its own, so that all that is built for one release of
 * Slurm lives in this folder and nothing else needs its library.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "spank/comment.h"
#include "spank/job_json.h"

#define ANSWER_S 5

static const char usage[] =
	"Usage: stint-slurm-job JOBID\n"
	"       stint-slurm-job --expand HOSTLIST\n"
	"       stint-slurm-job --comment CLUSTER JOBID[_TASK] TEXT\n"
	"\n"
	"Prints what slurmctld knows of a job as one JSON object, or the names that a\n"
	"host list stands for as a JSON array; or has slurmdbd keep TEXT as a job's\n"
	"AdminComment, as root or an operator, and prints true.\n";

static int fail(const char *subject, const char *why)
{
	fprintf(stderr, "stint-slurm-job: %s: %s\n", subject, why);
	return EXIT_FAILURE;
}

/* libslurm waits for MessageTimeout and more, and this program runs in an epilog. */
static void give_up(int signal)
{
	static const char text[] = "stint-slurm-job: Slurm does not answer\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)signal;
	(void)written;
	_exit(EXIT_FAILURE);
}

static int print_json(struct json_object *object)
{
	int failed = puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE)) < 0;

	json_object_put(object);
	return failed || fflush(stdout) ? fail("standard output", strerror(errno)) : EXIT_SUCCESS;
}

static int expand(const char *hosts)
{
	struct json_object *names = job_json_hosts(hosts);

	return names ? print_json(names) : fail(hosts, "not a host list");
}

/* An array's first job id may bring the records of its tasks with it. */
static job_info_t *find(job_info_msg_t *answer, uint32_t job_id)
{
	for (uint32_t i = 0; i < answer->record_count; i++)
		if (answer->job_array[i].job_id == job_id)
			return &answer->job_array[i];
	return NULL;
}

static int set_comment(const char *cluster, const char *job, const char *text)
{
	const char *why;

	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	slurm_init(NULL);
	why = comment_set(cluster, job, text);
	return why ? fail(job, why) : print_json(json_object_new_boolean(1));
}

static int print_job(const char *text)
{
	job_info_msg_t *answer = NULL;
	unsigned long job_id;
	job_info_t *job;
	char *end;
	int failed;

	errno = 0;
	job_id = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !job_id || job_id >= NO_VAL)
		return fail(text, "not a job id");
	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	slurm_init(NULL);
	if (slurm_load_job(&answer, job_id, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS)
		return fail(text, slurm_strerror(errno));
	job = find(answer, job_id);
	failed = job ? print_json(job_json(job)) : fail(text, slurm_strerror(ESLURM_INVALID_JOB_ID));
	slurm_free_job_info_msg(answer);
	return failed;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], "--expand"))
		return expand(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "--comment"))
		return set_comment(argv[2], argv[3], argv[4]);
	if (argc == 2 && *argv[1] != '-')
		return print_job(argv[1]);
	return fail("bad arguments", "want JOBID, --expand HOSTLIST, or --comment CLUSTER JOBID TEXT");
}
