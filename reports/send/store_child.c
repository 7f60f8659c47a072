/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/send/store_child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/process/child.h"
#include "reports/files/user.h"
#include "reports/send/store_command.h"
#include "reports/send/store_place.h"
#include "reports/send/store_trim.h"
#include "reports/send/store_user.h"
#include "reports/store/store_backlog.h"

#define LOCK_MS 5000 /* sealing takes less */
#define SENDING_MS 1000
#define REAP_MS 1000 /* if a killed process lives longer, it hangs in the kernel */
#define CHECK_MS 3000
#define SAID_MAX 480

/* For a child of the store's user. */
struct task {
	const struct conf *conf;
	const struct store_user *user;
	const char *name; /* of the batch; NULL: only a check */
	int batch_fd;
	const char *text; /* of the batch */
	size_t length;
	int wait_ms;
};

static bool is_default(const struct conf *conf)
{
	return !conf->store_command[0] && strcmp(conf->store_dir, CONF_STORE_DIR) == 0;
}

static int do_task(const struct task *task, struct error *err)
{
	cleanup_close int at = -1;

	if (task->name && task->conf->store_command[0])
		return store_command_run(task->conf->store_command, task->name, task->batch_fd, task->wait_ms, err);
	if (task->name && store_place_put(task->conf->store_dir, task->name, task->text, task->length, err) < 0)
		return -1;
	at = store_place_open(task->conf->store_dir, err);
	if (at < 0)
		return -1;
	if (task->name) {
		/* The default store must not fill the disk, because a site may not use it. */
		if (is_default(task->conf))
			store_trim(at, (uint64_t)task->conf->store_backlog_mb << 20);
		return 0;
	}
	return faccessat(at, ".", W_OK | X_OK, 0) < 0 ? error_errno(err, "%s", task->conf->store_dir) : 0;
}

/* Runs as the store's user. The OOM killer spares stintd, but it must not spare this process. */
static void __attribute__((noreturn)) run_as_user(const struct task *task, int said_fd)
{
	cleanup_close int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	struct error err = { "" };
	int result;

	if (score >= 0)
		dprintf(score, "0");
	result = user_become(task->user->uid, task->user->gid, task->user->name, &err);
	if (result == 0)
		result = do_task(task, &err);
	if (result < 0)
		dprintf(said_fd, "%.*s", SAID_MAX, err.text);
	_exit(result < 0);
}

static int judge(int status, int said_fd, struct error *err)
{
	char said[SAID_MAX + 1];
	ssize_t length;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	length = read(said_fd, said, SAID_MAX);
	said[length > 0 ? length : 0] = '\0';
	return error_set(err, "%s", *said ? said : "a signal ended the writer of the store");
}

static int run_task(const struct task *task, struct error *err)
{
	int ends[2], status, result = -1;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_errno(err, "pipe");
	child = fork();
	if (child == 0)
		run_as_user(task, ends[1]);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return error_errno(err, "fork");
	}
	/* The child kills its command before this time. */
	if (child_wait(child, task->wait_ms + REAP_MS, &status)) {
		result = judge(status, ends[0], err);
	} else {
		error_set(err, "the store does not answer within store_wait_s = %d s", task->wait_ms / 1000);
		/*
		 * If there is a command, the child kills it, and keeps the lock until then. No second command may run
		 * beside the first.
		 *
		 * If the child hangs in the kernel, it keeps the lock, too.
		 */
		if (!task->name || !task->conf->store_command[0])
			child_end(child, REAP_MS);
	}
	close(ends[0]);
	return result;
}

static int send_batch(const struct store_backlog *backlog, struct task *task, const char *file, struct error *err)
{
	cleanup_close int fd = store_backlog_open_batch(backlog, file, err);
	cleanup_free char *text = fd < 0 ? NULL : file_read_open(fd, file, STORE_BATCH_MAX, &task->length, err);
	char name[NAME_MAX + 1];

	if (!text)
		return -1;
	lseek(fd, 0, SEEK_SET);
	store_backlog_batch_name(file, name);
	task->name = name;
	task->batch_fd = fd;
	task->text = text;
	if (run_task(task, err) < 0)
		return -1;
	/* If this process dies here, the store gets the same file again. */
	return store_backlog_remove(backlog, file, err);
}

static int prepare_task(const struct conf *conf, struct store_user *user, struct task *task, struct error *err)
{
	*task = (struct task){ .conf = conf, .user = user, .wait_ms = (int)conf->store_wait_s * 1000 };
	if (store_user_find(conf, user, err) < 0)
		return -1;
	if (is_default(conf))
		return store_place_make(user, err);
	return 0;
}

static int send_all(const struct store_backlog *backlog, const struct conf *conf, struct error *err)
{
	int64_t end_ms = clock_ms() + (int64_t)conf->store_wait_s * 1000;
	char file[NAME_MAX + 1];
	int found = store_backlog_oldest(backlog, file, err);
	cleanup_close int lock = -1;
	struct store_user user;
	struct task task;

	if (found <= 0)
		return found;
	lock = store_backlog_lock(backlog, STORE_BACKLOG_SENDING, SENDING_MS, err);
	if (lock < 0)
		return errno == EWOULDBLOCK ? error_set(err, "an earlier writer of the store still hangs") : -1;
	if (prepare_task(conf, &user, &task, err) < 0)
		return -1;
	/* The next stint-epilog --store sends what is left. */
	while ((found = store_backlog_oldest(backlog, file, err)) > 0 && clock_ms() < end_ms)
		if (send_batch(backlog, &task, file, err) < 0)
			return -1;
	return found < 0 ? -1 : 0;
}

/* Seals the lines that are due, or @all lines, and limits the backlog. @uid: as in store_backlog_bound() */
static int tend(struct store_backlog *backlog, const struct conf *conf, bool all, uint32_t *uid, struct error *err)
{
	cleanup_close int lock = store_backlog_lock(backlog, STORE_BACKLOG_LOCK, LOCK_MS, err);

	if (lock < 0)
		return -1;
	store_backlog_tidy(backlog, conf->spool_max_age_h * 3600u);
	if (store_backlog_resume(backlog, err) < 0)
		return -1;
	if (store_backlog_seal(backlog, all, conf->store_interval_s, err) < 0) {
		store_backlog_bound(backlog, (uint64_t)conf->store_backlog_mb << 20, uid, NULL);
		return -1;
	}
	return store_backlog_bound(backlog, (uint64_t)conf->store_backlog_mb << 20, uid, err);
}

int store_child_run(const struct conf *conf, const char *what, struct error *err)
{
	struct store_backlog backlog;
	struct store_backlog_counts counts;
	uint32_t uid = STORE_BACKLOG_NO_USER;
	struct error sending = { "" };
	int result;

	if (store_backlog_open(&backlog, conf->spool_dir, err) < 0) {
		puts("-");
		return -1;
	}
	result = tend(&backlog, conf, strcmp(what, "send") != 0, &uid, err);
	/* Send even if no new batch could be made, for example because the disk is full. */
	if (strcmp(what, "seal") != 0 && send_all(&backlog, conf, &sending) < 0 && result == 0)
		result = error_set(err, "%s", sending.text);
	store_backlog_count(&backlog, &counts);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", counts.lines, counts.batches,
	       counts.bytes, counts.dropped, uid);
	store_backlog_close(&backlog);
	return result;
}

int store_child_check(const struct conf *conf, char name[256], struct error *err)
{
	struct store_user user = { .name = "" };
	struct task task = { .conf = conf, .user = &user, .wait_ms = CHECK_MS };
	int result = store_user_find(conf, &user, err);

	snprintf(name, 256, "%s", result < 0 ? "" : user.name);
	return result < 0 || conf->store_command[0] ? result : run_task(&task, err);
}
