/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/deliver.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/record/node_record.h"
#include "collector/reply.h"
#include "collector/status.h"
#include "common/clock.h"
#include "common/process/writer_process.h"

#define SLOW_NS 60000000000ull /* a slower writer is killed; stint-epilog waits for a shorter time */
#define END_NS 2000000000ull /* time for a killed process to end */
/* The kernel ends a writer that has run as the user for this time (write_as_user()). */
#define USERS_NS (WRITER_USER_MAX_S * 1000000000ull)
#define SEEN_NS 2000000000ull /* longest time until count_strays() sees that a writer runs as a user */
#define SOON_NS 2000000000ull /* shorter waits are not logged */
#define BUSY_PAUSE_NS 60000000000ull

struct delivery {
	struct delivery *next;
	char *name;
	uint32_t job_id;
	uint32_t uid;
	int reply_fd;
	int pid; /* 0: none yet */
	int why_fd;
	uint64_t since_ns; /* CLOCK_BOOTTIME when the writer started, or the wait began */
	uint64_t users_ns; /* CLOCK_BOOTTIME when first seen running as the user; 0: not yet */
	uint64_t killed_ns; /* CLOCK_BOOTTIME when killed; 0: not killed */
};

void deliver_begin(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

struct writer_program deliver_program(const struct collector *c)
{
	return (struct writer_program){
		.libexec_dir = c->libexec_dir,
		.conf_path = c->conf_path,
		.slurm = asking_path(c->asking),
		.cgroups = c->writers_dir[0] ? c->writers_dir : NULL,
	};
}

void deliver_why(int why_fd, int status, struct deliver_failure *failure)
{
	char text[sizeof(*failure)], *reason;
	ssize_t length = pread(why_fd, text, sizeof(text) - 1, 0);

	close(why_fd);
	text[length > 0 ? length : 0] = '\0';
	reason = strchr(text, '\n');
	if (reason)
		*reason++ = '\0';
	snprintf(failure->whose, sizeof(failure->whose), "%.511s", reason ? text : "");
	if (reason && *reason)
		snprintf(failure->why, sizeof(failure->why), "%.511s", reason);
	else if (WIFSIGNALED(status))
		snprintf(failure->why, sizeof(failure->why), WRITER_SIGNALED, WTERMSIG(status));
	else
		snprintf(failure->why, sizeof(failure->why), WRITER_PROGRAM " ended with %d", WEXITSTATUS(status));
}

bool deliver_has_share(int his, int taken, int places)
{
	int free_places = places - taken;

	return his < places / 4 && his < free_places;
}

static int held_by(const struct collector *c, uint32_t uid, bool running)
{
	int count = 0;

	for (const struct delivery *each = c->deliveries.first; each; each = each->next)
		count += each->uid == uid && (each->pid != 0) == running;
	return count;
}

bool deliver_is_held_up(const struct collector *c, uint32_t uid)
{
	const struct deliveries *all = &c->deliveries;

	for (int i = 0; i < all->stray_users; i++)
		if (all->strays[i].uid == uid)
			return !deliver_has_share(all->strays[i].count, all->all_strays, DELIVER_STRAYS);
	return all->all_strays >= DELIVER_STRAYS;
}

/* Returns the oldest waiting record of the user with the fewest writers; NULL if no record may have a writer now. */
static struct delivery *find_next(const struct collector *c)
{
	const struct deliveries *all = &c->deliveries;
	struct delivery *next = NULL;
	int fewest = DELIVER_PLACES;

	for (struct delivery *each = all->first; each; each = each->next) {
		int his = each->pid ? 0 : held_by(c, each->uid, true);

		if (each->pid || his >= fewest || !deliver_has_share(his, all->running, DELIVER_PLACES) ||
		    deliver_is_held_up(c, each->uid))
			continue;
		next = each;
		fewest = his;
		if (!his)
			break;
	}
	return next;
}

bool deliver_has(const struct collector *c, const char *name)
{
	for (const struct delivery *each = c->deliveries.first; each; each = each->next)
		if (strcmp(each->name, name) == 0)
			return true;
	return false;
}

static void leave_in_spool(int reply_fd, uint32_t job_id, uint32_t uid, const char *why)
{
	collector_log_user(uid, LOG_WARNING, "job %u: its record waits in the spool: %s", job_id, why);
	reply_send(reply_fd, CONTROL_JOB_CLOSE, -1, "the report is not written yet; stintd's log says why");
}

void deliver_add(struct collector *c, const char *name, uint32_t job_id, uint32_t uid, int reply_fd)
{
	struct deliveries *all = &c->deliveries;
	struct delivery **end = &all->first, *fresh;

	if (!deliver_has_share(held_by(c, uid, false), all->waiting, DELIVER_WAITING)) {
		leave_in_spool(reply_fd, job_id, uid,
			       "too many reports already wait for a writer, of this user or of all users");
		return;
	}
	fresh = calloc(1, sizeof(*fresh));
	if (fresh)
		fresh->name = strdup(name);
	if (!fresh || !fresh->name) {
		free(fresh);
		leave_in_spool(reply_fd, job_id, uid, "out of memory");
		return;
	}
	fresh->job_id = job_id;
	fresh->uid = uid;
	fresh->reply_fd = reply_fd;
	fresh->since_ns = clock_ns(CLOCK_BOOTTIME);
	while (*end)
		end = &(*end)->next;
	*end = fresh;
	all->waiting++;
}

static void forget(struct deliveries *all, struct delivery *delivery)
{
	struct delivery **at = &all->first;

	while (*at != delivery)
		at = &(*at)->next;
	*at = delivery->next;
	if (delivery->pid)
		all->running--;
	else
		all->waiting--;
	free(delivery->name);
	free(delivery);
}

static void start_one(struct collector *c, struct delivery *delivery)
{
	struct writer_program program = deliver_program(c);
	struct deliveries *all = &c->deliveries;
	char path[PATH_MAX];
	struct error err;
	int pid = -1;

	if (!spool_find(&c->spool, delivery->name, path)) {
		/* The spool gave up the record to make room. */
		reply_send(delivery->reply_fd, CONTROL_JOB_CLOSE, -1,
			    "stintd gave up the record; its log says why");
		forget(all, delivery);
		return;
	}
	delivery->why_fd = memfd_create("why", MFD_CLOEXEC);
	if (delivery->why_fd < 0)
		error_errno(&err, "memfd_create");
	else
		pid = staying_call(&all->staying, &program, path, delivery->why_fd);
	if (pid < 0 && delivery->why_fd >= 0)
		pid = writer_start(&program, path, delivery->why_fd, true, &err);
	if (pid < 0) {
		if (delivery->why_fd >= 0)
			close(delivery->why_fd);
		leave_in_spool(delivery->reply_fd, delivery->job_id, delivery->uid, err.text);
		forget(all, delivery);
		return;
	}
	delivery->pid = pid;
	delivery->since_ns = clock_ns(CLOCK_BOOTTIME);
	all->waiting--;
	all->running++;
}

void deliver_start(struct collector *c)
{
	struct delivery *next;

	while (c->deliveries.waiting && (next = find_next(c)))
		start_one(c, next);
}

static void failed(struct collector *c, const struct delivery *delivery, int code, struct deliver_failure *failure)
{
	char path[PATH_MAX], text[sizeof(*failure) + 2];
	bool kept;

	if (!failure->whose[0])
		snprintf(failure->whose, sizeof(failure->whose), "job %u of uid %u", delivery->job_id, delivery->uid);
	if (code == EX_CANTCREAT) {
		snprintf(text, sizeof(text), "%s: %s", failure->whose, failure->why);
		spool_give_up(&c->spool, delivery->name, text);
		return;
	}
	if (code == EX_DATAERR)
		spool_set_aside(&c->spool, delivery->name);
	kept = spool_find(&c->spool, delivery->name, path);
	if (kept)
		spool_is_news(&c->spool, delivery->name, failure->why);
	collector_log_user(delivery->uid, LOG_WARNING, "%s: its report was not written: %s%s", failure->whose,
			   failure->why, kept ? "; its record stays in the spool, and stintd will try it again" : "");
}

/* Returns true if the kernel ended the writer for running too long as the user. */
static bool used_its_time(const struct delivery *delivery, int status)
{
	uint64_t from_ns = delivery->uid ? delivery->users_ns : delivery->since_ns;

	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && from_ns &&
	       clock_ns(CLOCK_BOOTTIME) - from_ns >= USERS_NS - SEEN_NS;
}

/*
 * Returns true if the status file's count of records may have changed. After a failure, this record stays in the spool.
 * After a success, earlier records that were joined with it are gone.
 */
static bool has_changed_spool(const struct delivery *delivery, int code)
{
	struct record_name read;

	return code != 0 || (record_name_read(delivery->name, &read) && read.continues);
}

static void finish(struct collector *c, struct delivery *delivery, int code)
{
	c->deliveries.spool_changed |= has_changed_spool(delivery, code);
	reply_send(delivery->reply_fd, CONTROL_JOB_CLOSE, code == 0 ? 0 : -1,
		    "the report was not written; stintd's log says why");
	forget(&c->deliveries, delivery);
}

static struct delivery *find_writer(const struct deliveries *all, int pid)
{
	struct delivery *delivery = all->first;

	while (delivery && delivery->pid != pid)
		delivery = delivery->next;
	return delivery;
}

bool deliver_ended(struct collector *c, int pid, int status)
{
	struct delivery *delivery = find_writer(&c->deliveries, pid);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	struct deliver_failure failure;

	if (staying_ended(&c->deliveries.staying, pid))
		return true;
	if (!delivery)
		return false;
	/*
	 * Writers that one serving stint-epilog forked use the same memory addresses. A user could learn these
	 * addresses by crashing writers, but not by killing them with SIGKILL.
	 */
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		staying_end(&c->deliveries.staying);
	deliver_why(delivery->why_fd, status, &failure);
	if (used_its_time(delivery, status))
		snprintf(failure.why, sizeof(failure.why), WRITER_USER_HANGS);
	if (code == 0) {
		/* Keep the record if the job has continued: the next record will be joined with it. */
		if (!node_record_is_continued(&c->jobs, delivery->name))
			spool_remove(&c->spool, delivery->name);
		tally_add_written(c->tally);
	} else {
		failed(c, delivery, code, &failure);
	}
	finish(c, delivery, code);
	return true;
}

uint32_t deliver_user_of(int pid)
{
	char path[64], line[256];
	uint32_t uid = 0, named = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "Name:\t", 6) == 0)
			named = process_name_user(line + 6);
		if (sscanf(line, "Uid: %u", &uid) == 1)
			break;
	}
	if (file)
		fclose(file);
	return uid ? uid : named; /* only root's process can name another user */
}

static void count_stray(struct deliveries *all, uint32_t uid)
{
	int i = 0;

	all->all_strays++;
	while (i < all->stray_users && all->strays[i].uid != uid)
		i++;
	if (i == DELIVER_USERS)
		return;
	if (i == all->stray_users)
		all->strays[all->stray_users++] = (struct stray){ .uid = uid };
	all->strays[i].count++;
}

/* Stops waiting for a killed writer that does not end. */
static void leave(struct collector *c, struct delivery *delivery, const char *why)
{
	struct deliver_failure failure;

	deliver_why(delivery->why_fd, 0, &failure);
	snprintf(failure.why, sizeof(failure.why), "%s", why);
	failed(c, delivery, EX_TEMPFAIL, &failure);
	finish(c, delivery, EX_TEMPFAIL);
}

/*
 * Stops waiting for a writer that the kernel should have ended by now: a hanging file system or a frozen cgroup blocks
 * this writer. Returns true if the writer now counts as a stray.
 */
static bool leave_held(struct collector *c, struct delivery *delivery, uint64_t now_ns)
{
	if (!delivery->users_ns)
		delivery->users_ns = now_ns;
	if (now_ns - delivery->users_ns < USERS_NS + END_NS)
		return false;
	leave(c, delivery, WRITER_USER_HANGS);
	return true;
}

/* Kills slow writers. Frees their places at once, because a file system may block a killed writer. */
static void end_slow(struct collector *c, uint64_t now_ns)
{
	struct delivery *next;

	for (struct delivery *each = c->deliveries.first; each; each = next) {
		next = each->next;
		if (!each->pid || now_ns - each->since_ns <= SLOW_NS)
			continue;
		if (!each->killed_ns) {
			kill(each->pid, SIGKILL);
			each->killed_ns = now_ns;
		} else if (now_ns - each->killed_ns >= END_NS) {
			leave(c, each, WRITER_PROGRAM " was killed, but its process does not end");
		}
	}
}

static const struct delivery *find_oldest(const struct deliveries *all)
{
	const struct delivery *each = all->first;

	while (each && each->pid)
		each = each->next;
	return each;
}

/* Counts strays: children that run as a user, or for a user, but deliver no record. */
static void count_strays(struct collector *c, uint64_t now_ns)
{
	struct deliveries *all = &c->deliveries;
	FILE *file = fopen("/proc/thread-self/children", "re");
	int pid;

	all->stray_users = all->all_strays = 0;
	while (file && fscanf(file, "%d", &pid) == 1) {
		uint32_t uid = deliver_user_of(pid);
		struct delivery *delivery = uid ? find_writer(all, pid) : NULL;

		if (uid && (!delivery || leave_held(c, delivery, now_ns)))
			count_stray(all, uid);
	}
	if (file)
		fclose(file);
}

static void say_busy(struct collector *c, const struct delivery *oldest, uint64_t now_ns)
{
	struct deliveries *all = &c->deliveries;

	if (now_ns - oldest->since_ns < SOON_NS ||
	    (all->busy_logged_ns && now_ns - all->busy_logged_ns < BUSY_PAUSE_NS))
		return;
	all->busy_logged_ns = now_ns;
	collector_log(
		LOG_WARNING,
		"%d reports wait for a writer: %d of %d writers are at work, %d of them for uid %u, and %d are held up",
		all->waiting, all->running, DELIVER_PLACES, held_by(c, oldest->uid, true), oldest->uid,
		all->all_strays);
}

void deliver_tick(struct collector *c)
{
	struct deliveries *all = &c->deliveries;
	uint64_t now_ns = clock_ns(CLOCK_BOOTTIME);
	const struct delivery *oldest;

	count_strays(c, now_ns);
	end_slow(c, now_ns);
	oldest = find_oldest(all);
	if (oldest)
		say_busy(c, oldest, now_ns);
	/* At most once a second, because status_refresh() lists the spool. */
	if (all->spool_changed || all->waiting != all->status_waiting || all->all_strays != all->status_strays)
		status_refresh(c);
	all->spool_changed = false;
}
