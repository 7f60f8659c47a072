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
	"Usage: stint-slurm-job JOBID | ARRAYID_TASK | JOBID+COMPONENT\n"
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

/* A job as people name it; of an array's task or a heterogeneous job's component, the other number. */
struct asked {
	uint32_t id;
	uint32_t task, offset; /* NO_VAL: none said */
};

static int read_number(const char *text, char **end, uint32_t max, uint32_t *value)
{
	unsigned long number;

	errno = 0;
	number = strtoul(text, end, 10);
	if (*text < '0' || *text > '9' || errno || number >= max)
		return -1;
	*value = (uint32_t)number;
	return 0;
}

static int read_asked(const char *text, struct asked *asked)
{
	char *end;

	asked->task = asked->offset = NO_VAL;
	if (read_number(text, &end, NO_VAL, &asked->id) < 0 || !asked->id)
		return -1;
	if (*end == '_')
		return read_number(end + 1, &end, NO_VAL, &asked->task) < 0 || *end ? -1 : 0;
	if (*end == '+')
		return read_number(end + 1, &end, NO_VAL, &asked->offset) < 0 || *end ? -1 : 0;
	return *end ? -1 : 0;
}

static int is_asked(const job_info_t *job, const struct asked *asked)
{
	if (asked->task != NO_VAL)
		return job->array_job_id == asked->id && job->array_task_id == asked->task;
	if (asked->offset != NO_VAL)
		return job->het_job_id == asked->id && job->het_job_offset == asked->offset;
	return job->job_id == asked->id;
}

/* An array's, or a heterogeneous job's, first job id brings the records of the others with it. */
static job_info_t *find(job_info_msg_t *answer, const struct asked *asked)
{
	for (uint32_t i = 0; i < answer->record_count; i++)
		if (is_asked(&answer->job_array[i], asked))
			return &answer->job_array[i];
	/* tasks that wait have one record, all together */
	for (uint32_t i = 0; asked->task != NO_VAL && i < answer->record_count; i++)
		if (answer->job_array[i].array_job_id == asked->id && answer->job_array[i].array_task_id == NO_VAL)
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
	struct asked asked;
	job_info_t *job;
	int failed;

	if (read_asked(text, &asked) < 0)
		return fail(text, "not a job id");
	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	slurm_init(NULL);
	if (slurm_load_job(&answer, asked.id, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS)
		return fail(text, slurm_strerror(errno));
	job = find(answer, &asked);
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
