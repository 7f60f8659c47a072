/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks slurmctld or slurmdbd about jobs, and prints the answer as JSON. Can also set a job's AdminComment.
 *
 * This is a separate program, so that nothing else needs libslurm.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm_errno.h>

#include "common/json_writer.h"
#include "spank/slurm_job/comment.h"
#include "spank/slurm_job/job_json.h"
#include "spank/slurm_job/jobs.h"
#include "spank/slurm_job/memory_default.h"
#include "spank/slurm_job/people.h"
#include "spank/slurm_job/slurm_compat.h"
#include "spank/slurm_job/slurm_serve.h"
#include "spank/slurm_job/steps.h"

#define ANSWER_S 5
#define JOBS_ANSWER_S 20 /* slurmdbd needs seconds for a day of a busy user's jobs */
#define ENDED_ANSWER_S 600 /* no user waits for this: only stint ingest --reconcile asks */
#define EXPAND "--expand"
#define COMMENT_WORDS 6
#define STEPS_WORDS 5
#define COMMENT_INPUT_MAX (64u << 10) /* bytes; slurmdbd stores no longer comment */

static const char usage[] = "Usage: stint-slurm-job JOBID | ARRAYID_TASK | JOBID+COMPONENT\n"
			    "       stint-slurm-job --expand HOSTLIST\n"
			    "       stint-slurm-job --comment\n"
			    "       stint-slurm-job --steps\n"
			    "       stint-slurm-job --jobs accounting|controller SINCE UNTIL UID|-\n"
			    "       stint-slurm-job --ended CLUSTER|- SINCE UNTIL\n"
			    "       stint-slurm-job --people\n"
			    "       stint-slurm-job --serve\n"
			    "\n"
			    "Prints what slurmctld knows about a job as one JSON object, or the names that a\n"
			    "host list stands for as a JSON array.\n"
			    "\n"
			    "--comment, as root or an operator, has slurmdbd set a job's AdminComment, and\n"
			    "prints true. Standard input has six lines: CLUSTER, JOBID, ARRAYID_TASK or -, UID\n"
			    "of the job's user, SUBMIT (seconds since 1970), and TEXT.\n"
			    "--steps prints the job's ended steps, as slurmdbd knows them. Standard input has\n"
			    "the first five lines of --comment.\n"
			    "--jobs prints one object a line, the newest first, for each job of UID, or of all\n"
			    "users, that was submitted before UNTIL and had not ended before SINCE, as slurmdbd\n"
			    "or slurmctld knows it.\n"
			    "--ended prints each attempt of all users' jobs that ended from SINCE on and before\n"
			    "UNTIL, as slurmdbd knows it.\n"
			    "--people prints the users who may see others' jobs: Slurm's operators,\n"
			    "administrators and coordinators.\n"
			    "--serve answers callers for a while. Standard input is a socket of stintd's. Each\n"
			    "caller there is answered as if the program had been started with what it sends.\n";

static bool serving; /* true: the program serves callers, and only its standard output goes to them */

static int fail(const char *subject, const char *why)
{
	fprintf(serving ? stdout : stderr, "stint-slurm-job: %s: %s\n", subject, why);
	if (serving)
		fflush(stdout);
	return EXIT_FAILURE;
}

/* Ends the program in time. libslurm can wait for MessageTimeout and longer, but an epilog waits for this program. */
static void give_up(int signal)
{
	static const char text[] = "stint-slurm-job: Slurm does not answer\n";
	ssize_t written = write(serving ? STDOUT_FILENO : STDERR_FILENO, text, sizeof(text) - 1);

	(void)signal;
	(void)written;
	_exit(EXIT_FAILURE);
}

static int print_json(struct json_object *object)
{
	int failed = puts(json_object_to_json_string_ext(object,
							 JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)) < 0;

	json_object_put(object);
	return failed || fflush(stdout) ? fail("standard output", strerror(errno)) : EXIT_SUCCESS;
}

static int expand(const char *hosts)
{
	struct json_object *names = job_json_hosts(hosts);

	return names ? print_json(names) : fail(hosts, "not a host list");
}

struct asked {
	uint32_t id;
	uint32_t task, offset; /* NO_VAL: not given */
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

/*
 * Finds the job in @answer; NULL if it is not there.
 *
 * For an array or a heterogeneous job, slurmctld may also send other tasks or components.
 */
static job_info_t *find_asked(job_info_msg_t *answer, const struct asked *asked)
{
	for (uint32_t i = 0; i < answer->record_count; i++)
		if (is_asked(&answer->job_array[i], asked))
			return &answer->job_array[i];
	/* All tasks that have not started share one record. */
	for (uint32_t i = 0; asked->task != NO_VAL && i < answer->record_count; i++)
		if (answer->job_array[i].array_job_id == asked->id && answer->job_array[i].array_task_id == NO_VAL)
			return &answer->job_array[i];
	return NULL;
}

static int read_comment_job(char **words, struct comment_job *job)
{
	bool task = strcmp(words[2], "-") != 0;
	struct asked own, array;
	char *end;

	if (read_asked(words[1], &own) < 0 || own.task != NO_VAL || own.offset != NO_VAL)
		return fail(words[1], "not a job id");
	if (task && (read_asked(words[2], &array) < 0 || array.task == NO_VAL))
		return fail(words[2], "not a task of an array");
	*job = (struct comment_job){ .cluster = words[0], .id = own.id };
	if (task) {
		job->array_job_id = array.id;
		job->array_task_id = array.task;
	}
	if (read_number(words[3], &end, UINT32_MAX, &job->uid) < 0 || *end)
		return fail(words[3], "not a user id");
	errno = 0;
	job->submit = strtoll(words[4], &end, 10);
	return errno || *end || job->submit <= 0 ? fail(words[4], "not a time") : EXIT_SUCCESS;
}

/*
 * Sets @words to the lines of standard input.
 * Returns 0; -1 if there are not exactly @count lines, or if the input is too long.
 */
static int read_lines(char text[COMMENT_INPUT_MAX + 1], char *words[], size_t count)
{
	size_t length = fread(text, 1, COMMENT_INPUT_MAX + 1, stdin);

	if (length > COMMENT_INPUT_MAX)
		return -1;
	text[length] = '\0';
	for (size_t i = 0; i < count; i++) {
		words[i] = text;
		text += strcspn(text, "\n");
		if (!*text)
			return -1;
		*text++ = '\0';
	}
	return *text ? -1 : 0;
}

/* Reads standard input, because all users can see a program's arguments. */
static int set_comment(void)
{
	static char text[COMMENT_INPUT_MAX + 1];
	char *words[COMMENT_WORDS]; /* CLUSTER, JOBID, ARRAYID_TASK, UID, SUBMIT, TEXT */
	struct comment_job job;
	const char *why;

	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	if (read_lines(text, words, COMMENT_WORDS) < 0)
		return fail("standard input", "not the six lines of a comment");
	if (read_comment_job(words, &job) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	slurm_init(NULL);
	why = comment_set(&job, words[5]);
	return why ? fail(words[1], why) : print_json(json_object_new_boolean(1));
}

static int print_steps(void)
{
	static char text[COMMENT_INPUT_MAX + 1];
	char *words[STEPS_WORDS]; /* CLUSTER, JOBID, ARRAYID_TASK, UID, SUBMIT */
	struct json_object *steps;
	struct comment_job job;
	const char *why;

	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	if (read_lines(text, words, STEPS_WORDS) < 0)
		return fail("standard input", "not the five lines of a job");
	if (read_comment_job(words, &job) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	slurm_init(NULL);
	steps = json_object_new_array();
	why = steps_of_accounting(&job, steps);
	if (!why)
		return print_json(steps);
	json_object_put(steps);
	return fail(words[1], why);
}

static int print_job(const char *text)
{
	job_info_msg_t *answer = NULL;
	struct asked asked;
	job_info_t *job;
	struct json_object *object;
	int failed;

	if (read_asked(text, &asked) < 0)
		return fail(text, "not a job id");
	signal(SIGALRM, give_up);
	alarm(ANSWER_S);
	slurm_init(NULL);
	/* SHOW_LOCAL: the job is of this cluster. Without this flag, libslurm would first ask about the federation. */
	if (compat_load_job(&answer, asked.id, SHOW_ALL | SHOW_DETAIL | SHOW_LOCAL) != SLURM_SUCCESS)
		return fail(text, slurm_strerror(errno));
	job = find_asked(answer, &asked);
	object = job ? job_json(job) : NULL;
	if (object) {
		put_known_text(object, "cluster", compat_cluster_name());
		memory_default_add(object, job);
	}
	failed = object ? print_json(object) : fail(text, slurm_strerror(ESLURM_INVALID_JOB_ID));
	slurm_free_job_info_msg(answer);
	return failed;
}

static int read_window(char **words, struct jobs_question *question)
{
	uint32_t since, until;
	char *end;

	if (read_number(words[0], &end, UINT32_MAX, &since) < 0 || *end)
		return fail(words[0], "not a time");
	if (read_number(words[1], &end, UINT32_MAX, &until) < 0 || *end || until <= since)
		return fail(words[1], "not a later time");
	question->since_s = since;
	question->until_s = until;
	return EXIT_SUCCESS;
}

static void begin_asking(unsigned int seconds)
{
	signal(SIGALRM, give_up);
	alarm(seconds);
	slurm_init(NULL);
}

/* @words: "accounting" or "controller", SINCE, UNTIL, and UID or "-" */
static int print_jobs(char **words)
{
	struct jobs_question question = { .uid = JOBS_EVERYBODY };
	bool accounting = strcmp(words[0], "accounting") == 0;
	const char *why;
	char *end;

	if (!accounting && strcmp(words[0], "controller") != 0)
		return fail(words[0], "neither accounting nor controller");
	if (read_window(words + 1, &question) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	if (strcmp(words[3], "-") != 0 && (read_number(words[3], &end, JOBS_EVERYBODY, &question.uid) < 0 || *end))
		return fail(words[3], "not a user id");
	begin_asking(JOBS_ANSWER_S);
	why = accounting ? jobs_of_accounting(&question, print_json) : jobs_of_controller(&question, print_json);
	return why ? fail(words[0], why) : EXIT_SUCCESS;
}

static int print_many(struct json_object *object)
{
	int failed = puts(json_object_to_json_string_ext(object,
							 JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)) < 0;

	json_object_put(object);
	return failed ? fail("standard output", strerror(errno)) : EXIT_SUCCESS;
}

/* @words: CLUSTER or "-", SINCE, UNTIL */
static int print_ended(char **words)
{
	struct jobs_question question = { .uid = JOBS_EVERYBODY };
	const char *why;

	if (read_window(words + 1, &question) != EXIT_SUCCESS)
		return EXIT_FAILURE;
	begin_asking(ENDED_ANSWER_S);
	why = jobs_ended(strcmp(words[0], "-") == 0 ? NULL : words[0], &question, print_many);
	if (why)
		return fail("accounting", why);
	return fflush(stdout) ? fail("standard output", strerror(errno)) : EXIT_SUCCESS;
}

static int print_people(void)
{
	const char *why;

	begin_asking(JOBS_ANSWER_S);
	why = people_print(print_json);
	return why ? fail("accounting", why) : EXIT_SUCCESS;
}

static int answer(const char *question)
{
	if (strncmp(question, EXPAND " ", sizeof(EXPAND)) == 0)
		return expand(question + sizeof(EXPAND));
	return print_job(question);
}

static int serve(void)
{
	serving = true;
	slurm_init(NULL);
	return slurm_serve(answer);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts("stint-slurm-job " PACKAGE_VERSION);
		return EXIT_SUCCESS;
	}
	if (argc == 3 && !strcmp(argv[1], EXPAND))
		return expand(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "--comment"))
		return set_comment();
	if (argc == 2 && !strcmp(argv[1], "--steps"))
		return print_steps();
	if (argc == 6 && !strcmp(argv[1], "--jobs"))
		return print_jobs(argv + 2);
	if (argc == 5 && !strcmp(argv[1], "--ended"))
		return print_ended(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "--people"))
		return print_people();
	if (argc == 2 && !strcmp(argv[1], "--serve"))
		return serve();
	if (argc == 2 && *argv[1] != '-')
		return print_job(argv[1]);
	return fail("bad arguments", "expected JOBID, --expand HOSTLIST, --jobs with its four arguments, --ended with its three "
				     "arguments, --people, --steps, or --comment");
}
