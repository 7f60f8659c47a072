/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-epilog: one node record becomes the report in the job's directory, or
 * this node's part of it. stintd runs it as root once a job has left the node.
 * It ends with 0 when the record is delivered and need not be kept, with EX_DATAERR (65)
 * when the record itself is damaged, and else when it may be delivered later.
 */

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/file.h"
#include "collector/common/escape.h"
#include "collector/common/frame.h"
#include "reports/field.h"
#include "reports/slurm_job.h"
#include "collector/common/usage.h"
#include "reports/user.h"
#include "reports/writer.h"

#define PATIENCE_MS 1000   /* that the leading node waits for the others before its first report */
#define FOREGROUND_MS 1600 /* the epilog is held up no longer than that by waiting */
#define CHILD_WAIT_MS 20000 /* for the user's file system; beyond, it hangs */
#define MEMORY_MAX (UINT64_C(2) << 30) /* address space of the writer */
#define RESULT_MAX (PATH_MAX + 512)

struct arguments {
	const char *config;
	const char *record;
};

/* Reads what the child says until it says no more. Returns its length; -1 when it took too long. */
static int read_result(int fd, char result[RESULT_MAX])
{
	int64_t end_ms = writer_now_ms() + CHILD_WAIT_MS;
	int used = 0;

	for (;;) {
		struct pollfd ready = { fd, POLLIN, 0 };
		int64_t left = end_ms - writer_now_ms();
		ssize_t n;

		if (left <= 0)
			return -1;
		if (poll(&ready, 1, (int)left) <= 0)
			continue;
		n = read(fd, result + used, RESULT_MAX - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += n;
	}
	result[used] = '\0';
	return used;
}

/*
 * Leaves the foreground, so that neither stintd nor the epilog waits for what
 * comes now. Returns 0 in the background, 1 in the foreground, and -1 when the
 * user may start no process more.
 */
static int go_to_background(int result_fd)
{
	pid_t pid = fork();
	int null;

	if (pid != 0)
		return pid > 0 ? 1 : -1;
	setsid();
	if (fork() > 0)
		_exit(0);
	close(result_fd);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	return 0;
}

static void tell(int fd, char kind, const char *text)
{
	dprintf(fd, "%c%s", kind, text);
}

/* A part is the user's to write, and must not make root's daemon run out of memory. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* which takes far more addresses than memory */
	const struct rlimit limit = { MEMORY_MAX, MEMORY_MAX };

	setrlimit(RLIMIT_AS, &limit);
#endif
}

/* All that happens as the user. Tells "+PATH" or "-REASON". */
static void run_as_user(const struct writer_job *job, int result_fd)
{
	int64_t uid = -1, gid = -1;
	struct writer_place place;
	struct error err;
	int result = WRITER_FAILED;

	limit_memory();
	if (!field_count(job->record, "user.uid", &uid) || !field_count(job->record, "user.gid", &gid) ||
	    uid >= UINT32_MAX || gid >= UINT32_MAX)
		error_set(&err, "the record does not say whose job it was");
	else if (user_become(uid, gid, field_text(job->record, "user.name"), &err) == 0 &&
		 writer_open(job, &place, &err) == 0)
		result = writer_deliver(job, &place, &err);
	if (result == WRITER_FAILED) {
		tell(result_fd, '-', err.text);
		return;
	}
	tell(result_fd, '+', place.path);
	if (result == WRITER_DONE)
		return;
	switch (go_to_background(result_fd)) {
	case 0:
		writer_finish(job, &place, &err);
		break;
	case -1:
		writer_hand_over(job, &place, &err);
		break;
	}
}

static int deliver(const struct writer_job *job, struct error *err)
{
	char result[RESULT_MAX], shown[4 * PATH_MAX];
	int result_pipe[2], length;
	pid_t child;

	if (pipe2(result_pipe, O_CLOEXEC) < 0)
		return error_errno(err, "pipe");
	child = fork();
	if (child == 0) {
		close(result_pipe[0]);
		run_as_user(job, result_pipe[1]);
		_exit(0);
	}
	close(result_pipe[1]);
	if (child < 0) {
		close(result_pipe[0]);
		return error_errno(err, "fork");
	}
	length = read_result(result_pipe[0], result);
	close(result_pipe[0]);
	if (length < 0) {
		/* It may hang in the kernel and not even die; then init takes it over. */
		kill(child, SIGKILL);
		return error_set(err, "the job's directory does not answer");
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	escape_text(length ? result + 1 : "", shown, sizeof(shown));
	if (result[0] != '+')
		return error_set(err, "%.400s", length ? shown : "the writer died");
	puts(shown);
	return 0;
}

static struct json_object *only_node(const char *name)
{
	struct json_object *nodes = json_object_new_array();

	json_object_array_add(nodes, json_object_new_string(name));
	return nodes;
}

/* The job's nodes, the leading one first: Slurm's batch host is the first of its list. */
static struct json_object *find_nodes(struct writer_job *job, struct error *err)
{
	struct json_object *names = field_typed(job->slurm, "node_names", json_type_array);
	const char *list = field_text(job->record, "node_list");

	/* Slurm's answer may be of a later attempt, on other nodes: what the record says comes first. */
	if (list && strcmp(list, job->identity.node) == 0)
		return only_node(list);
	if (list && *list && strcmp(list, field_text(job->slurm, "node_list") ?: "") != 0)
		return slurm_job_expand(list, err);
	if (field_length(names) > 0)
		return json_object_get(names);
	return only_node(job->identity.node);
}

static int check_nodes(const struct writer_job *job, struct error *err)
{
	for (size_t i = 0; i < json_object_array_length(job->nodes); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(job->nodes, i));

		if (name && strcmp(name, job->identity.node) == 0)
			return 0;
	}
	return error_set(err, "node %s is none of the job's own", job->identity.node);
}

static const char *group_name(struct json_object *record)
{
	int64_t gid;
	struct group *group = field_count(record, "user.gid", &gid) ? getgrgid(gid) : NULL;

	return group ? group->gr_name : NULL;
}

/* Reads RECORD, framed as stintd puts it into the spool or as it is. NULL with @err set, and the exit @status. */
static struct json_object *read_record(const char *path, struct record_identity *identity, int *status,
				       struct error *err)
{
	size_t length = 0;
	cleanup_free char *data = file_read(AT_FDCWD, path, RECORD_BYTES_MAX, &length, err);
	const char *text = data;
	struct json_object *record;

	*status = EXIT_FAILURE;
	if (!data)
		return NULL;
	if (frame_begins(data, length))
		text = frame_content(data, length, FRAME_RECORD, path, &length, err);
	if (text)
		errno = 0;
	record = text ? record_parse(text, length, path, identity, err) : NULL;
	if (!record && errno != EPROTONOSUPPORT && errno != ENOMEM)
		*status = EX_DATAERR;
	return record;
}

static int run(const struct arguments *arguments, struct error *err)
{
	struct writer_job job = { 0 };
	cleanup_json struct json_object *record = NULL, *slurm = NULL, *nodes = NULL;
	int64_t start_ms = writer_now_ms();
	struct error slurm_reason;
	struct conf conf;
	char id[16];
	int status;

	if (conf_load_default(&conf, arguments->config, err) < 0)
		return EXIT_FAILURE;
	record = read_record(arguments->record, &job.identity, &status, err);
	if (!record)
		return status;
	snprintf(id, sizeof(id), "%u", job.identity.job_id);
	slurm = slurm_job(id, &slurm_reason);
	job.conf = &conf;
	job.record = record;
	job.slurm = slurm;
	job.slurm_reason = slurm_reason.text;
	job.group = group_name(record);
	nodes = find_nodes(&job, err);
	if (!nodes)
		return EXIT_FAILURE;
	job.nodes = nodes;
	if (check_nodes(&job, err) < 0)
		return EXIT_FAILURE;
	job.patience_end_ms = writer_now_ms() + PATIENCE_MS;
	if (job.patience_end_ms > start_ms + FOREGROUND_MS)
		job.patience_end_ms = start_ms + FOREGROUND_MS;
	return deliver(&job, err) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'c':
		arguments->config = value;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->record)
			usage_fail(state, "one RECORD only");
		arguments->record = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->record)
			usage_fail(state, "which RECORD?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const char *argp_program_version = "stint-epilog " PACKAGE_VERSION;

int main(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "RECORD",
		.doc = "Bring the node record RECORD to the report in its job's directory. Run by stintd.",
	};
	struct arguments arguments = { 0 };
	struct error err;
	int status;

	usage_parse(&argp, argc, argv, 0, &arguments);
	/* Nothing that root has open goes along to where a user is. */
	close_range(3, ~0U, 0);
	signal(SIGPIPE, SIG_IGN);
	status = run(&arguments, &err);
	if (status != EXIT_SUCCESS)
		fprintf(stderr, "stint-epilog: %s\n", err.text);
	return status;
}
