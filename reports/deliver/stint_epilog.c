/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-epilog adds one node record to the job's report, or writes this node's part of the report. stintd runs it as
 * root when a job has left the node.
 *
 * The exit status is 0 if the record was delivered, otherwise:
 * EX_DATAERR (65): the record is damaged
 * EX_CANTCREAT (73): no retry can deliver the record
 * EX_NOINPUT (66): the job's directory was removed
 * EX_TEMPFAIL (75): the user's file system does not answer
 * other: a retry may deliver the record
 */

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/conf.h"
#include "common/escape.h"
#include "common/log_line.h"
#include "common/memory/memory_limit.h"
#include "common/process/child.h"
#include "common/process/writer_process.h"
#include "common/usage.h"
#include "reports/deliver/admin_comment.h"
#include "reports/deliver/epilog_serve.h"
#include "reports/deliver/learn.h"
#include "reports/deliver/own_cgroup.h"
#include "reports/deliver/spooled_record.h"
#include "reports/deliver/store_keep.h"
#include "reports/deliver/writer.h"
#include "reports/files/munge.h"
#include "reports/files/user.h"
#include "reports/records/record_parts.h"
#include "reports/send/store_child.h"

#define PATIENCE_MS 1000 /* wait before the first report */
#define FOREGROUND_MS 1600 /* most that the epilog waits for nodes */
#define CHILD_WAIT_MS (1000 * WRITER_USER_MAX_S)
#define REAP_MS 1000 /* if a killed child lives longer, it hangs in the kernel */
#define CPU_MAX_S 20 /* enough to merge a thousand nodes */
#define MEMORY_MAX (UINT64_C(2) << 30) /* address space of the writer */
#define PARTS_MEMORY_MAX (UINT64_C(1) << 30) /* until all parts are read */
#define RESULT_MAX (PATH_MAX + 512)

struct arguments {
	const char *config;
	const char *record;
	const char *slurm; /* socket of the asking process; may be NULL */
	const char *cgroups; /* directory of the writers' cgroups; NULL: none */
	bool first; /* first try to deliver the record */
	bool watched; /* stintd limits this process (collector/deliver.c) */
	bool reason; /* write errors to standard output */
	const char *store; /* work for store_child_run(); NULL: deliver a record */
	bool serve; /* fork a writer for each record */
};

/*
 * Reads a message of the child, a letter and a text.
 * Returns the length of the message; 0 if the child has died; -1 if no message came in time.
 */
static int read_result(int fd, char result[RESULT_MAX], int wait_ms)
{
	int64_t end_ms = clock_ms() + wait_ms;

	for (;;) {
		struct pollfd ready = { fd, POLLIN, 0 };
		int64_t left = end_ms - clock_ms();
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

/*
 * Replaces the descriptors up to @last by /dev/null. Otherwise processes that read from them would wait until this
 * process ends.
 */
static void be_silent(int last)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= last && null >= 0; fd++)
		dup2(null, fd);
}

static void send_result(int fd, char kind, const char *text)
{
	char result[RESULT_MAX];
	int length = snprintf(result, sizeof(result), "%c%s", kind, text) + 1;

	send(fd, result, length > RESULT_MAX ? RESULT_MAX : length, MSG_NOSIGNAL);
}

/*
 * A user could forge a part that takes much time or memory. The OOM killer must not spare this process, as it spares
 * stintd.
 */
static void limit_use(void)
{
	cleanup_close int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	const struct rlimit cpu = { CPU_MAX_S, CPU_MAX_S };
#ifndef MEMORY_SANITIZED /* the sanitizer needs much address space */
	const struct rlimit limit = { PARTS_MEMORY_MAX, MEMORY_MAX };

	setrlimit(RLIMIT_AS, &limit);
#endif
	setrlimit(RLIMIT_CPU, &cpu);
	if (score >= 0)
		dprintf(score, "0");
}

/* Adds the user's name, if neither the epilog nor Slurm gave it. */
static void learn_user(struct record *record)
{
	const struct passwd *known = record->user.name ? NULL : getpwuid((uid_t)record->user.uid);

	if (known)
		record->user.name = report_copy(record_memory(record), known->pw_name);
}

static int become_user(struct writer_job *job, int result_fd, struct error *err)
{
	int64_t uid = job->record->user.uid, gid = job->record->user.gid;

	if (uid < 0 || gid < 0 || uid >= UINT32_MAX || gid >= UINT32_MAX)
		return error_set(err, "the record does not say which user's job it was");
	/* Do this only after the fork, because a directory service may hang. */
	learn_user(job->record);
	job->group = record_group(job->record);
	own_cgroup_enter(job->cgroups, uid);
	if (user_become(uid, gid, job->record->user.name, err) < 0)
		return -1;
	/* close descriptors of the look-ups, which were made as root */
	if (result_fd > 3)
		close_range(3, result_fd - 1, 0);
	close_range(result_fd > STDERR_FILENO ? result_fd + 1 : STDERR_FILENO + 1, ~0U, 0);
	return 0;
}

/*
 * Does all work as the user. Sends one or two messages:
 * "=PATH": a report of the latest attempt was written
 * "+PATH": another report, or a part, was written
 * "~PATH": waits for other nodes; "=PATH" will follow
 * "@PATH": Slurm's answer is needed
 * "-REASON": failure
 * "!REASON": failure, a retry is useless
 * "?REASON": failure, the directory is gone
 */
static void run_as_user(struct writer_job *job, int result_fd)
{
	static const char failures[] = { [WRITER_AGAIN] = '-', [WRITER_NEVER] = '!', [WRITER_GONE] = '?' };
	static const char answers[] = { [WRITER_DONE] = '\0', [WRITER_WAITING] = '~', [WRITER_ASKS] = '@' };
	struct writer_place place = { .hope = WRITER_AGAIN };
	struct error err;
	int result = WRITER_FAILED;
	sigset_t all;

	/* The user's signals must not leave a half-written file. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	be_silent(STDERR_FILENO);
	limit_use();
	if (become_user(job, result_fd, &err) == 0 && writer_open(job, &place, &err) == 0)
		result = writer_deliver(job, &place, &err);
	if (result == WRITER_DONE || result == WRITER_WAITING)
		writer_leave_link(job, &place);
	/* "~": the report will be completed soon, so Slurm needs no summary of it. */
	if (result == WRITER_FAILED)
		send_result(result_fd, failures[place.hope], err.text);
	else
		send_result(result_fd, answers[result] ? answers[result] : place.latest ? '=' : '+', place.path);
	if (result != WRITER_WAITING)
		return;
	setsid();
	result = writer_finish(job, &place, &err);
	if (result == 0 && place.latest)
		send_result(result_fd, '=', place.path);
}

/* Makes the kernel kill this process in time. The user cannot stop the timer. Returns 0; -1 with @err set. */
static int limit_time(struct error *err)
{
	struct sigevent death = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
	const struct itimerspec then = { .it_value = { .tv_sec = WRITER_USER_MAX_S } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &death, &timer) < 0 || timer_settime(timer, 0, &then, NULL) < 0)
		return error_errno(err, "cannot set a time limit for the writer");
	return 0;
}

/*
 * Returns true if no child is needed: stintd watches this process, no other process waits for it, and root has no work
 * left.
 */
static bool needs_no_child(const struct writer_job *job, const struct arguments *arguments)
{
	return arguments->watched && job->nodes.count == 1 && !job->given_back &&
	       job->conf->admin_comment == CONF_COMMENT_NONE;
}

static bool named; /* name_job() was called */

/* Names the job before the user can kill this process. */
static void name_job(const struct writer_job *job)
{
	char whose[WRITER_WHOSE_MAX];

	printf("%s\n", writer_whose(job, whose));
	named = fflush(stdout) == 0;
}

/* Works like run_as_user(), without a child. Returns the exit status; sets @err on failure. */
static int write_as_user(struct writer_job *job, const char *record, struct error *err)
{
	static const int codes[] = {
		[WRITER_AGAIN] = EXIT_FAILURE,
		[WRITER_NEVER] = EX_CANTCREAT,
		[WRITER_GONE] = EX_NOINPUT,
	};
	struct writer_place place = { .hope = WRITER_AGAIN };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;

	store_keep_put(job, record);
	name_job(job);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	if (null < 0 || dup2(null, STDERR_FILENO) < 0)
		return error_errno(err, "/dev/null"), EXIT_FAILURE;
	limit_use();
	/* Only one descriptor of root is left: standard output, for the reason of a failure. */
	if (limit_time(err) == 0 && become_user(job, STDOUT_FILENO, err) == 0 && writer_open(job, &place, err) == 0 &&
	    writer_deliver(job, &place, err) != WRITER_FAILED) {
		writer_leave_link(job, &place);
		return EXIT_SUCCESS;
	}
	return codes[place.hope];
}

/* Forks a process for which nobody waits. Returns the same as fork(). */
static pid_t go_on_alone(const struct writer_job *job)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	setsid();
	be_silent(job->conf->admin_comment == CONF_COMMENT_NONE ? STDERR_FILENO : STDOUT_FILENO);
	return 0;
}

/*
 * Ends @child when its time is over. A child would stay for ever if the user stopped it, or if the file system hangs.
 */
static void guard(const struct writer_job *job, pid_t child, int result_fd)
{
	int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd ended = { fd, POLLIN, 0 };
	char result[RESULT_MAX];
	pid_t alone = fd < 0 ? -1 : go_on_alone(job);
	int length;

	if (alone < 0)
		child_end(child, REAP_MS); /* the report says that it lacks nodes */
	if (alone != 0)
		return;
	if (poll(&ended, 1, (int)job->conf->merge_wait_s * 1000 + CHILD_WAIT_MS) == 0)
		syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
	length = read_result(result_fd, result, 0);
	if (length > 0 && result[0] == '=' && job->conf->admin_comment == CONF_COMMENT_JS1)
		admin_comment_store(job);
	_exit(0);
}

static int start_child(struct writer_job *job, pid_t *child, struct error *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_errno(err, "socketpair");
	*child = fork();
	if (*child == 0) {
		close(ends[0]);
		run_as_user(job, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (*child > 0)
		return ends[0];
	close(ends[0]);
	return error_errno(err, "fork");
}

/* How a child ended. length: length of its message; -1: no message in time; -2: no child */
struct ended {
	int length;
	int status;
};

static int exit_status_of(const char *result, struct ended ended, struct error *err)
{
	if (ended.length < 0) {
		error_set(err, WRITER_USER_HANGS);
		return EX_TEMPFAIL;
	}
	if (ended.length == 0) {
		if (ended.status >= 0 && WIFSIGNALED(ended.status))
			error_set(err, WRITER_SIGNALED, WTERMSIG(ended.status));
		else
			error_set(err, "stint-epilog ended without a message");
		return EXIT_FAILURE;
	}
	if (result[0] == '+' || result[0] == '=' || result[0] == '~')
		return EXIT_SUCCESS;
	error_set(err, "%s", result + 1);
	return result[0] == '!' ? EX_CANTCREAT : result[0] == '?' ? EX_NOINPUT : EXIT_FAILURE;
}

/* Runs a child. While the child works, puts the store line into the backlog. Sets @err if there is no child. */
static struct ended run_child(struct writer_job *job, const char *record, char result[RESULT_MAX], struct error *err)
{
	struct ended ended = { -2, -1 };
	pid_t child = -1;
	int fd = start_child(job, &child, err);

	store_keep_put(job, record);
	if (fd < 0)
		return ended;
	ended.length = read_result(fd, result, CHILD_WAIT_MS);
	if (ended.length > 0 && result[0] == '~') {
		guard(job, child, fd);
	} else {
		/*
		 * Kill the child, because the user may have stopped it. If this fails, stintd counts it as a process of
		 * the user.
		 */
		ended.status = child_end(child, REAP_MS);
	}
	close(fd);
	return ended;
}

static void comment(const struct writer_job *job)
{
	if (job->conf->admin_comment != CONF_COMMENT_JS1 || fflush(stdout) != 0 || go_on_alone(job) != 0)
		return;
	admin_comment_store(job);
	_exit(0);
}

static int deliver(struct writer_job *job, const struct arguments *arguments, struct error *reason, struct error *err)
{
	char result[RESULT_MAX], shown[4 * PATH_MAX];
	struct ended ended;
	int status;

	if (writer_wants_none(job)) {
		store_keep_put(job, arguments->record);
		if (writer_leads(job))
			comment(job);
		return EXIT_SUCCESS;
	}
	if (needs_no_child(job, arguments))
		return write_as_user(job, arguments->record, err);
	ended = run_child(job, arguments->record, result, err);
	if (ended.length > 0 && result[0] == '@') {
		learn_from_slurm(job, arguments->slurm, reason);
		ended = run_child(job, arguments->record, result, err);
	}
	if (ended.length == -2)
		return EXIT_FAILURE;
	status = exit_status_of(result, ended, err);
	if (status != EXIT_SUCCESS) {
		/* Set the comment only at the first try, because a directory may refuse the report for ever. */
		if (job->is_new && writer_leads(job) && !job->option_unknown)
			comment(job);
		return status;
	}
	/* The leading node wrote a report, so --stint is not off. */
	job->option_unknown = false;
	store_keep_put(job, arguments->record);
	puts(escape_text(result + 1, shown, sizeof(shown)));
	if (result[0] == '=')
		comment(job);
	return EXIT_SUCCESS;
}

/*
 * Prepares a job on several nodes: makes this node's part with root's credential. Makes shared memory for the other
 * nodes' credentials, which root checks before Slurm gets the summary.
 */
static int prove(struct writer_job *job, struct error *reason, struct error *err)
{
	size_t size = (job->nodes.count + job->given_back) * sizeof(*job->proofs);

	job->notary = munge_notary(job->conf->munge_socket, reason);
	job->notary_reason = reason->text;
	if (job->conf->admin_comment == CONF_COMMENT_JS1) {
		job->proofs = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (job->proofs == MAP_FAILED)
			return error_errno(err, "cannot map %zu bytes of memory", size);
	}
	return writer_seal(job, err);
}

static bool take_flag(bool *flag)
{
	bool set = *flag;

	*flag = false;
	return set;
}

/*
 * Returns true if the batch script never began, because the job was cancelled or requeued. --stint is unknown, but
 * nothing ran.
 */
static bool has_not_begun(const struct writer_job *job)
{
	return job->option_unknown && writer_leads(job) && slurm_job_or_unknown(job->slurm)->std_out &&
	       job->record->totals.processes == 0;
}

/* @whose: receives the job and user when they are known */
static int run(const struct arguments *arguments, char whose[WRITER_WHOSE_MAX], struct error *err)
{
	static struct writer_job job; /* needed until the program ends */
	int64_t start_ms = clock_ms();
	struct error slurm_reason, notary_reason, warning;
	struct conf conf;
	int status, learned;

	if (conf_load_known(&conf, arguments->config, &warning, err) < 0)
		return EXIT_FAILURE;
	if (warning.text[0])
		log_line(LOG_WARNING, "stint-epilog", "%s; such lines of stint.conf are ignored", warning.text);
	job.conf = &conf;
	job.is_new = arguments->first;
	job.cgroups = arguments->cgroups;
	job.record = spooled_record_read(AT_FDCWD, arguments->record, &job.identity, err);
	if (!job.record)
		return errno == EBADMSG ? EX_DATAERR : EXIT_FAILURE;
	if (spooled_record_join(job.record, arguments->record, &conf, err) < 0)
		return EXIT_FAILURE;
	job.option_unknown = take_flag(&job.record->option_unknown);
	job.nodes_unknown = take_flag(&job.record->nodes_unknown);
	learned = learn_job(&job, arguments->slurm, &slurm_reason, err);
	job.record->epilogs_restarts = REPORT_UNKNOWN;
	writer_whose(&job, whose);
	if (learned < 0) {
		store_keep_put(&job, arguments->record);
		return EXIT_FAILURE;
	}
	if (has_not_begun(&job))
		return EXIT_SUCCESS;
	job.option_unknown = job.option_unknown && !writer_leads(&job);
	job.mode = writer_mode(&job);
	job.patience_end_ms = clock_ms() + PATIENCE_MS;
	if (job.patience_end_ms > start_ms + FOREGROUND_MS)
		job.patience_end_ms = start_ms + FOREGROUND_MS;
	if (job.nodes.count > 1 || job.given_back) {
		store_keep_make(&job, arguments->record);
		if (prove(&job, &notary_reason, err) < 0) {
			store_keep_put(&job, arguments->record);
			return EXIT_FAILURE;
		}
	}
	/* Free nothing: the program ends here. */
	status = deliver(&job, arguments, &slurm_reason, err);
	if (status != EXIT_SUCCESS)
		writer_whose(&job, whose); /* Slurm's answer may add to it */
	return status;
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
	case 'f':
		arguments->first = true;
		return 0;
	case 'g':
		arguments->cgroups = value;
		return 0;
	case 's':
		arguments->slurm = value;
		return 0;
	case 'r':
		arguments->reason = true;
		return 0;
	case 'S':
		arguments->serve = true;
		return 0;
	case 'b':
		if (strcmp(value, "seal") != 0 && strcmp(value, "send") != 0 && strcmp(value, "all") != 0)
			usage_fail(state, "--store does 'seal', 'send' or 'all'");
		arguments->store = value;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->record)
			usage_fail(state, "only one RECORD");
		arguments->record = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->record && !arguments->serve && !arguments->store)
			usage_fail(state, "which RECORD?");
		if (arguments->store && (arguments->record || arguments->serve))
			usage_fail(state, "--store excludes RECORD and --serve");
		if (arguments->record && arguments->serve)
			usage_fail(state, "--serve excludes RECORD, because stintd names the records");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

#define STACK_BYTES (1 << 20) /* more than a writer needs */

static __attribute__((noinline)) void touch_stack(void)
{
	volatile char bytes[STACK_BYTES];

	bytes[0] = 0;
	(void)bytes[0];
}

/*
 * Takes the stack early, because a user can limit the memory of a process. If a writer dies by SIGSEGV, the serving
 * stint-epilog also ends.
 */
static void take_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > 2 * STACK_BYTES)
		touch_stack();
}

static struct arguments given;

static int deliver_record(void)
{
	char whose[WRITER_WHOSE_MAX] = "";
	struct error err;
	int status = run(&given, whose, &err);

	if (status != EXIT_SUCCESS && given.reason)
		printf("%s%s%s", named ? "" : whose, named ? "" : "\n", err.text);
	else if (status != EXIT_SUCCESS && *whose)
		log_line(LOG_WARNING, "stint-epilog", "%s: its report was not written: %s", whose, err.text);
	else if (status != EXIT_SUCCESS)
		log_line(LOG_ERR, "stint-epilog", "%s", err.text);
	return status;
}

/* Called by epilog_serve() in each writer. */
static int deliver_called(const char *record, bool first)
{
	given.record = record;
	given.first = first;
	given.watched = true;
	return deliver_record();
}

static int tend_store(void)
{
	struct error warning, err;
	struct conf conf;
	int result = conf_load_known(&conf, given.config, &warning, &err);

	if (result == 0 && geteuid() != 0)
		result = error_set(&err, "--store needs root, because only root has a backlog of the store");
	else if (result == 0 && conf_has_store(&conf))
		result = store_child_run(&conf, given.store, &err);
	if (result == 0)
		return EXIT_SUCCESS;
	if (given.reason)
		printf("%s", err.text);
	else
		log_line(LOG_WARNING, "stint-epilog", "%s", err.text);
	return EXIT_FAILURE;
}

const char *argp_program_version = "stint-epilog " PACKAGE_VERSION;

int main(int argc, char *argv[])
{
	static const struct argp_option options[] = {
		{ "config", 'c', "FILE", 0, "Read FILE instead of " CONF_PATH, 0 },
		{ "reason", 'r', NULL, 0,
		  "On failure, print the job and user on one line, then the reason, unescaped",
		  0 },
		{ "first", 'f', NULL, 0, "The record is new: this is the first try to deliver it", 0 },
		{ "cgroups", 'g', "DIRECTORY", 0, "Write the report in the user's cgroup below DIRECTORY", 0 },
		{ "slurm", 's', "SOCKET", 0,
		  "Ask Slurm through the helper at SOCKET, instead of starting stint-slurm-job", 0 },
		{ "store", 'b', "WHAT", 0,
		  "Deliver no RECORD. WHAT: seal (seal all lines into batches), send (seal the lines that are due, send all batches) or all (seal all lines, send all batches)",
		  0 },
		{ "serve", 'S', NULL, 0,
		  "Keep running, and fork a process for each RECORD that stintd names at the socket on standard input", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "RECORD",
		.doc = "Deliver the node record RECORD to the report in its job's directory. stintd runs this.",
	};

	usage_parse(&argp, argc, argv, 0, &given);
	/* Close root's descriptors before anything runs as the user. */
	close_range(3, ~0U, 0);
	signal(SIGPIPE, SIG_IGN);
	if (given.store)
		return tend_store();
	take_stack();
	return given.serve ? epilog_serve(deliver_called) : deliver_record();
}
