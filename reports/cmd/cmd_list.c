/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stint list: shows the jobs of a user that Slurm knows, with values from their reports. */

#include <argp.h>
#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/time_text.h"
#include "common/usage.h"
#include "reports/cmd/cmd.h"
#include "reports/cmd/shared_options.h"
#include "reports/cmd/when.h"
#include "reports/read/find.h"
#include "reports/read/find_place.h"
#include "reports/read/slurm_rows.h"
#include "reports/rows/array_rows.h"
#include "reports/slurm/slurm_jobs.h"
#include "reports/terminal/output.h"
#include "reports/terminal/terminal.h"
#include "reports/text/summary_table.h"

#define WHO "stint list"
#define DAY_S 86400
#define ROWS_SHOWN 50
#define ROWS_LATEST 10 /* rows that stint without a verb prints */

enum { KEY_CSV = 256, KEY_TASKS, KEY_SINCE, KEY_UNTIL, KEY_STATE, KEY_USER, KEY_NAME };

/* Slurm's job states, with the short forms of squeue and sacct. */
static const struct state {
	const char *name, *code;
} states[] = {
	{ "PENDING", "PD" },	{ "RUNNING", "R" },	 { "SUSPENDED", "S" },	 { "COMPLETED", "CD" },
	{ "CANCELLED", "CA" },	{ "FAILED", "F" },	 { "TIMEOUT", "TO" },	 { "NODE_FAIL", "NF" },
	{ "PREEMPTED", "PR" },	{ "BOOT_FAIL", "BF" },	 { "DEADLINE", "DL" },	 { "OUT_OF_MEMORY", "OOM" },
};

#define STATES (sizeof(states) / sizeof(states[0]))

struct arguments {
	const char *config, *name;
	struct slurm_jobs_question question;
	int64_t now_s;
	bool json, csv, latest;
	bool tasks; /* print each task of an array in a row of its own */
	bool chosen; /* an option selects jobs: if no job matches, do not advise an earlier --since */
	unsigned int states; /* a bit for each wanted state; 0 means all */
	struct page_options page;
};

/* ---- choosing jobs ---- */

static int find_state(const char *word, size_t length)
{
	for (size_t i = 0; i < STATES; i++)
		if ((strlen(states[i].name) == length && strncasecmp(states[i].name, word, length) == 0) ||
		    (strlen(states[i].code) == length && strncasecmp(states[i].code, word, length) == 0))
			return (int)i;
	return -1;
}

static bool is_wanted(const struct arguments *arguments, const struct record_slurm_job *job)
{
	int which = job->state ? find_state(job->state, strlen(job->state)) : -1;

	if (arguments->states && (which < 0 || !(arguments->states & 1u << which)))
		return false;
	return !arguments->name || (job->name && fnmatch(arguments->name, job->name, 0) == 0);
}

static bool shows_tasks(const struct arguments *arguments)
{
	return arguments->json || arguments->csv || arguments->tasks;
}

/* For each row of the table: the number of the array; -1 if the row is a single job or task. */
struct lines {
	int64_t *arrays;
	size_t count;
};

static size_t line_of(struct lines *lines, const struct record_slurm_job *job, bool shows_tasks)
{
	int64_t array = shows_tasks ? -1 : find_array_of(job);

	for (size_t i = 0; array >= 0 && i < lines->count; i++)
		if (lines->arrays[i] == array)
			return i;
	lines->arrays[lines->count] = array;
	return lines->count++;
}

/*
 * Keeps only the wanted jobs that are in the first @most rows.
 * Returns how many rows all wanted jobs need.
 */
static size_t choose(const struct arguments *arguments, struct record_slurm_job_list *jobs, size_t most)
{
	cleanup_free int64_t *arrays = calloc(jobs->count + 1, sizeof(*arrays));
	struct lines lines = { .arrays = arrays };
	size_t kept = 0;

	for (size_t i = 0; arrays && i < jobs->count; i++) {
		const struct record_slurm_job *job = &jobs->items[i];

		if (is_wanted(arguments, job) && line_of(&lines, job, shows_tasks(arguments)) < most)
			jobs->items[kept++] = *job;
	}
	jobs->count = kept;
	return lines.count;
}

/* ---- printing ---- */

static void say_none(const struct arguments *arguments)
{
	if (arguments->chosen)
		fputs("No such jobs.\n", stdout);
	else
		fputs("No jobs of yours in the last day. stint list --since=7d looks further back.\n", stdout);
}

static void print_rest(const struct arguments *arguments, const struct slurm_jobs *jobs, size_t more)
{
	if (jobs->of_controller)
		fputs("Only jobs that slurmctld still remembers: accounting does not answer.\n", stdout);
	if (more && arguments->latest)
		printf("and %zu more: stint list\n", more);
	else if (more)
		printf("and %zu older: --all shows them\n", more);
	if (jobs->left_out)
		printf("and %" PRId64 " older: Slurm cannot list so many at once; use --since and --until\n", jobs->left_out);
}

/*
 * Prints the wanted jobs, and removes all others from @jobs.
 * Returns 0; -1 after a message if a report could not be read.
 */
static int print_jobs(const struct arguments *arguments, struct slurm_jobs *jobs, const struct conf *conf)
{
	size_t most = arguments->latest ? ROWS_LATEST : ROWS_SHOWN;
	bool people = !arguments->json && !arguments->csv;
	size_t count = choose(arguments, &jobs->answer->jobs, people && !arguments->page.all ? most : SIZE_MAX);
	struct rows rows = { .who = WHO };
	int result;

	slurm_rows_add(&rows, &jobs->answer->jobs, conf);
	if (!shows_tasks(arguments))
		rows_join_arrays(&rows);
	if (arguments->json)
		summary_table_print_json(rows.list, rows.count, stdout);
	else if (arguments->csv)
		summary_table_print_csv(rows.list, rows.count, stdout);
	else if (rows.count == 0)
		say_none(arguments);
	else
		summary_table_print_list(rows.list, rows.count, &arguments->page, stdout);
	if (people)
		print_rest(arguments, jobs, count - rows.count);
	else if (jobs->of_controller)
		fputs(WHO ": only jobs that slurmctld still remembers: accounting does not answer\n", stderr);
	result = rows.failed ? -1 : 0;
	rows_free(&rows);
	return result;
}

static int list(const struct arguments *arguments)
{
	struct slurm_jobs jobs;
	struct error err;
	struct conf conf;
	int result;

	if (find_conf(&conf, arguments->config, WHO, &err) < 0 ||
	    slurm_jobs_ask(&arguments->question, &jobs, &err) < 0) {
		find_complain(WHO, err.text);
		return -1;
	}
	result = print_jobs(arguments, &jobs, &conf);
	slurm_jobs_free(&jobs);
	if (output_flush(&err) == 0)
		return result;
	find_complain(WHO, err.text);
	return -1;
}

/* ---- the command line ---- */

static void read_states(struct arguments *arguments, const char *value, const struct argp_state *state)
{
	for (const char *word = value; *word; word += strspn(word, ",")) {
		size_t length = strcspn(word, ",");
		int which = find_state(word, length);

		if (which < 0)
			usage_fail(state, "--state: '%.*s' is not a state: the states are pending, running, completed, failed, timeout, "
				   "cancelled, out_of_memory, node_fail...", (int)length, word);
		arguments->states |= 1u << which;
		word += length;
	}
}

static int64_t read_user(const char *value, const struct argp_state *state)
{
	const struct passwd *user = getpwnam(value);
	char *end;
	unsigned long uid = strtoul(value, &end, 10);

	if (strcmp(value, "all") == 0)
		return SLURM_JOBS_EVERYBODY;
	if (user)
		return user->pw_uid;
	if (*value < '0' || *value > '9' || *end || uid >= UINT32_MAX)
		usage_fail(state, "--user: there is no user '%s'", value);
	return (int64_t)uid;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		state->child_inputs[0] = &arguments->page;
		state->child_inputs[1] = &arguments->config;
		return 0;
	case 'a':
		arguments->page.all = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case KEY_CSV:
		arguments->csv = true;
		return 0;
	case KEY_TASKS:
		arguments->tasks = true;
		return 0;
	case KEY_SINCE:
		arguments->question.since_s = when_option("--since", value, arguments->now_s * US_PER_S, state) / US_PER_S;
		break;
	case KEY_UNTIL:
		arguments->question.until_s = when_option("--until", value, arguments->now_s * US_PER_S, state) / US_PER_S;
		break;
	case KEY_STATE:
		read_states(arguments, value, state);
		break;
	case KEY_USER:
		arguments->question.uid = read_user(value, state);
		break;
	case KEY_NAME:
		arguments->name = value;
		break;
	case ARGP_KEY_ARG:
		usage_fail(state, "'%s': stint report shows the page of a job", value);
	case ARGP_KEY_END:
		if (arguments->csv && arguments->json)
			usage_fail(state, "--csv and --json exclude each other");
		if (arguments->question.until_s <= arguments->question.since_s)
			usage_fail(state, "--until is not after --since");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	arguments->chosen = true;
	return 0;
}

static struct arguments defaults(void)
{
	int64_t now_s = time(NULL);

	return (struct arguments){
		.question = { .since_s = now_s - DAY_S, .until_s = now_s + 1, .uid = getuid() },
		.now_s = now_s,
		.page = page_options_for(stdout),
	};
}

int cmd_list(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "all", 'a', NULL, 0, "Show all of them, and not only the latest", 0 },
		{ "tasks", KEY_TASKS, NULL, 0, "Show each task of an array, instead of one row for the array. JSON and CSV always have each task", 0 },
		{ "since", KEY_SINCE, "TIME", 0, "Jobs that ran after TIME, " WHEN_FORMS "; without it, a day ago", 0 },
		{ "until", KEY_UNTIL, "TIME", 0, "Jobs that were submitted before TIME", 0 },
		{ "state", KEY_STATE, "STATE,...", 0, "Jobs in one of these states, such as failed,timeout", 0 },
		{ "name", KEY_NAME, "PATTERN", 0, "Jobs whose name matches PATTERN, such as 'align*'", 0 },
		{ "user", KEY_USER, "USER", 0, "Jobs of USER; 'all': jobs of every user that Slurm lets you see", 0 },
		{ "json", 'j', NULL, 0, "Print a JSON array with an object for each job", 0 },
		{ "csv", KEY_CSV, NULL, 0, "Print CSV", 0 },
		{ 0 },
	};
	static const struct argp_child children[] = { { .argp = &terminal_argp }, { .argp = &config_argp }, { 0 } };
	static const struct argp argp = {
		.children = children,
		.options = options,
		.parser = parse_option,
		.doc = "List your jobs of the last day, the latest first.\n\vThe list comes from Slurm's accounting, "
		       "or from slurmctld if there is no accounting. What the jobs used comes from their reports, in the directories "
		       "that they ran in.",
	};
	struct arguments arguments = defaults();

	usage_parse(&argp, argc, argv, 0, &arguments);
	return list(&arguments) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int cmd_latest(struct error *err)
{
	struct arguments arguments = defaults();
	struct slurm_jobs jobs;
	struct conf conf;

	arguments.latest = true;
	if (find_conf(&conf, NULL, WHO, err) < 0 || slurm_jobs_ask(&arguments.question, &jobs, err) < 0)
		return -1;
	print_jobs(&arguments, &jobs, &conf);
	slurm_jobs_free(&jobs);
	printf("\nstint report JOB shows the page of one; stint help shows what else there is.\n");
	return output_flush(err);
}
