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
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/conf.h"
#include "collector/common/file.h"
#include "collector/common/escape.h"
#include "collector/common/frame.h"
#include "reports/comment.h"
#include "reports/field.h"
#include "reports/job.h"
#include "reports/js1.h"
#include "reports/slurm_job.h"
#include "collector/common/usage.h"
#include "reports/user.h"
#include "reports/writer.h"

#define PATIENCE_MS 1000   /* that the leading node waits for the others before its first report */
#define FOREGROUND_MS 1600 /* the epilog is held up no longer than that by waiting */
#define CHILD_WAIT_MS 20000 /* for the user's file system; beyond, it hangs */
#define MEMORY_MAX (UINT64_C(2) << 30) /* address space of the writer */
#define PARTS_MEMORY_MAX (UINT64_C(1) << 30) /* until all parts are read: what they leave makes the report */
#define RESULT_MAX (PATH_MAX + 512 + JS1_LENGTH_MAX)

struct arguments {
	const char *config;
	const char *record;
};

/*
 * Reads one message of the child's: a kind and a text, and what Slurm may keep of the job behind its NUL. Returns
 * its length, 0 when the child has died; -1 when it took too long.
 */
static int read_result(int fd, char result[RESULT_MAX], int wait_ms)
{
	int64_t end_ms = writer_now_ms() + wait_ms;

	for (;;) {
		struct pollfd ready = { fd, POLLIN, 0 };
		int64_t left = end_ms - writer_now_ms();
		ssize_t n;

		if (poll(&ready, 1, left > 0 ? (int)left : 0) <= 0) {
			if (left <= 0)
				return -1;
			continue;
		}
		n = recv(fd, result, RESULT_MAX - 1, MSG_DONTWAIT);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		n = n < 0 ? 0 : n;
		result[n] = '\0';
		return (int)n;
	}
}

/* What stands behind the text of @result, @length bytes; NULL when there is nothing. */
static const char *result_summary(const char *result, int length)
{
	size_t text = strlen(result);

	return (size_t)length > text + 1 ? result + text + 1 : NULL;
}

/* Whoever waits for the end of what we print waits no longer. @last: the last descriptor that is given up */
static void be_silent(int last)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= last && null >= 0; fd++)
		dup2(null, fd);
}

static void tell(int fd, char kind, const char *text, const char *summary)
{
	char result[RESULT_MAX];
	int length = snprintf(result, PATH_MAX + 512, "%c%s", kind, text) + 1;

	if (length > PATH_MAX + 512)
		length = PATH_MAX + 512;
	if (summary)
		length += snprintf(result + length, sizeof(result) - length, "%s", summary);
	send(fd, result, length, MSG_NOSIGNAL);
}

/* A part is the user's to write: it must not use up the node's memory, nor its reader be spared when that is short. */
static void limit_memory(void)
{
	cleanup_close int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
#ifndef __SANITIZE_ADDRESS__ /* which takes far more addresses than memory */
	const struct rlimit limit = { PARTS_MEMORY_MAX, MEMORY_MAX };

	setrlimit(RLIMIT_AS, &limit);
#endif
	if (score >= 0)
		dprintf(score, "0");
}

static const char *group_name(gid_t gid)
{
	struct group *group = getgrgid(gid);

	return group ? group->gr_name : NULL;
}

static int become_user(struct writer_job *job, int result_fd, struct error *err)
{
	int64_t uid = -1, gid = -1;

	if (!field_count(job->record, "user.uid", &uid) || !field_count(job->record, "user.gid", &gid) ||
	    uid >= UINT32_MAX || gid >= UINT32_MAX)
		return error_set(err, "the record does not say whose job it was");
	/* Here and not before the fork: a directory service that hangs is waited for no longer than a file system. */
	job->group = group_name(gid);
	if (user_become(uid, gid, field_text(job->record, "user.name"), err) < 0)
		return -1;
	/* What the look-ups of names have opened as root stays with root. */
	if (result_fd > 3)
		close_range(3, result_fd - 1, 0);
	close_range(result_fd + 1, ~0U, 0);
	return 0;
}

/*
 * All that happens as the user. Tells "+PATH", or "~PATH" when it goes on and waits for other nodes and
 * then tells "+PATH", or "-REASON".
 */
static void run_as_user(struct writer_job *job, int result_fd)
{
	struct writer_place place;
	struct error err;
	int result = WRITER_FAILED;
	sigset_t all;

	/* The user may signal this process; but for those that cannot be blocked, that shall not leave half a file. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	be_silent(STDERR_FILENO);
	limit_memory();
	if (become_user(job, result_fd, &err) == 0 && writer_open(job, &place, &err) == 0)
		result = writer_deliver(job, &place, &err);
	/* Of a report that is about to be bettered, Slurm has no need. */
	tell(result_fd, result == WRITER_FAILED ? '-' : result == WRITER_DONE ? '+' : '~',
	     result == WRITER_FAILED ? err.text : place.path, result == WRITER_DONE ? place.summary : NULL);
	if (result != WRITER_WAITING)
		return;
	setsid();
	result = writer_finish(job, &place, &err);
	if (result == 0 && place.summary)
		tell(result_fd, '+', place.path, place.summary);
}

/* What takes longer is done by a process that nobody waits for. Returns whether this is that process. */
static bool go_on_alone(const struct writer_job *job)
{
	if (fork() != 0)
		return false;
	setsid();
	be_silent(job->conf->admin_comment == CONF_COMMENT_NONE ? STDERR_FILENO : STDOUT_FILENO);
	return true;
}

static void keep_summary(const struct writer_job *job, const char *summary)
{
	if (summary)
		comment_store(job->record, job->slurm, job->slurm_reason, summary);
}

/*
 * Lets @child wait for the other nodes on its own, as long as it may: one that the user has stopped, or
 * whose file system hangs, shall not stay for ever. Neither stintd nor the epilog waits for it.
 */
static void guard(const struct writer_job *job, pid_t child, int result_fd)
{
	int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd ended = { fd, POLLIN, 0 };
	char result[RESULT_MAX];
	int length;

	if (fd < 0 || !go_on_alone(job))
		return;
	if (poll(&ended, 1, (int)job->conf->merge_wait_s * 1000 + CHILD_WAIT_MS) == 0)
		syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
	length = read_result(result_fd, result, 0);
	if (length > 0)
		keep_summary(job, result_summary(result, length));
	_exit(0);
}

static int deliver(struct writer_job *job, struct error *err)
{
	char result[RESULT_MAX], shown[4 * PATH_MAX];
	const char *summary;
	int ends[2], length;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_errno(err, "socketpair");
	child = fork();
	if (child == 0) {
		close(ends[0]);
		run_as_user(job, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return error_errno(err, "fork");
	}
	length = read_result(ends[0], result, CHILD_WAIT_MS);
	if (length < 0) {
		/* It may hang in the kernel and not even die; then init takes it over. */
		close(ends[0]);
		kill(child, SIGKILL);
		return error_set(err, "the job's directory does not answer");
	}
	if (result[0] == '~')
		guard(job, child, ends[0]);
	else
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	close(ends[0]);
	if (result[0] != '+' && result[0] != '~')
		return error_set(err, "%s", length ? result + 1 : "the writer died");
	puts(escape_text(result + 1, shown, sizeof(shown)));
	summary = result_summary(result, length);
	if (summary && fflush(stdout) == 0 && go_on_alone(job)) {
		keep_summary(job, summary);
		_exit(0);
	}
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
	job_settle_attempt(record, slurm, &job.identity);
	job.conf = &conf;
	job.record = record;
	job.slurm = slurm;
	job.slurm_reason = slurm_reason.text;
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
	char shown[4 * sizeof(((struct error *)0)->text)];
	struct error err;
	int status;

	usage_parse(&argp, argc, argv, 0, &arguments);
	/* Nothing that root has open goes along to where a user is. */
	close_range(3, ~0U, 0);
	signal(SIGPIPE, SIG_IGN);
	status = run(&arguments, &err);
	if (status != EXIT_SUCCESS)
		fprintf(stderr, "stint-epilog: %s\n", escape_text(err.text, shown, sizeof(shown)));
	return status;
}
