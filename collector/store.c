/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/store.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/collector.h"
#include "collector/status.h"
#include "common/clock.h"

#define S_NS 1000000000ull
#define PAUSE_MIN_S 10u
#define PAUSE_MAX_S 300u
/* How long stintd waits at its end. When a machine shuts down, it unmounts the store after that. */
#define END_MS 3000
#define RUN_MIN_S 60u /* stint-epilog --store may run for this time plus twice store_wait_s */

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

/*
 * Returns the pause in ns, plus up to a quarter of it: nodes that lose a file system together must not retry together.
 */
static uint64_t spread(const struct collector *c, unsigned int pause_s)
{
	return pause_s * S_NS + pause_s * S_NS / 4 / 64 * ((c->store.started_ns / 1000 + (uint64_t)getpid()) % 64);
}

static void start(struct collector *c, const char *what)
{
	struct writer_program program = deliver_program(c);
	struct store *store = &c->store;
	struct error err;

	store->started_ns = now_ns();
	store->not_before_ns = store->started_ns + PAUSE_MIN_S * S_NS; /* in case stint-epilog cannot be started */
	store->why_fd = memfd_create("store", MFD_CLOEXEC);
	if (store->why_fd < 0)
		return;
	store->pid = writer_start_store(&program, what, store->why_fd, &err);
	if (store->pid < 0) {
		close(store->why_fd);
		store->pid = 0;
		collector_log(LOG_ERR, "cannot start the writer of the store: %s", err.text);
		return;
	}
	store->pidfd = (int)syscall(SYS_pidfd_open, store->pid, 0);
	store->not_before_ns = 0;
	store->sends = strcmp(what, "seal") != 0;
	if (strcmp(what, "send") != 0)
		store->new_lines = store->first_ns = 0;
}

void store_begin(struct collector *c)
{
	c->store.pause_s = PAUSE_MIN_S;
	c->store.next_ns = now_ns();
}

void store_line_came(struct collector *c)
{
	if (!c->store.new_lines++)
		c->store.first_ns = now_ns();
}

void store_hurry(struct collector *c)
{
	struct store *store = &c->store;

	store->not_before_ns = 0;
	store->next_ns = now_ns();
	store->first_ns = 0;
}

/*
 * Kills stint-epilog --store, which a local disk must have blocked: if only the store hangs, stint-epilog gives up by
 * itself.
 */
static void end_slow(const struct collector *c)
{
	const struct store *store = &c->store;

	if (now_ns() - store->started_ns > (2 * c->conf.store_wait_s + RUN_MIN_S) * S_NS && store->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, store->pidfd, SIGKILL, NULL, 0);
}

void store_tick(struct collector *c)
{
	struct store *store = &c->store;
	bool seal, send;

	if (!conf_has_store(&c->conf) || now_ns() < store->not_before_ns)
		return;
	if (store->pid) {
		end_slow(c);
		return;
	}
	seal = store->new_lines &&
	       (store->new_lines >= STORE_MANY || !store->first_ns ||
		now_ns() - store->first_ns >= c->conf.store_interval_s * S_NS);
	send = store->next_ns && now_ns() >= store->next_ns;
	/* While the store fails, new lines are put into batches, but not sent. */
	if (seal)
		start(c, send || !store->failing_since_s ? "all" : "seal");
	else if (send)
		start(c, "send");
}

/* Logs that lines were dropped: once while batches wait, and again if the lines of another user were dropped. */
static void say_dropped(struct store *store)
{
	const uint32_t uid = store->left.dropped_uid;
	char whose[32] = "several users";

	if (store->drops && store->drops_uid == uid)
		return;
	if (uid != UINT32_MAX)
		snprintf(whose, sizeof(whose), "uid %u", uid);
	collector_log(LOG_ERR,
		      "stintd drops lines for the store, because more than store_backlog_mb would wait: %llu so far, the last ones of "
		      "%s, who had the most",
		      (unsigned long long)store->left.dropped, whose);
	store->drops_uid = uid;
}

/* Logs only changes: a store that fails for a day gives one line. */
static void say(struct store *store, bool failed, const struct store_left *before)
{
	/* drops from before the first count were logged by an earlier stintd */
	bool dropped = store->known && store->left.dropped > before->dropped;

	if (failed && !store->failing_since_s)
		collector_log(LOG_WARNING, "stintd cannot send lines to the store, and keeps them: %s", store->why);
	if (!failed && store->failing_since_s)
		collector_log(LOG_NOTICE, "the store gets its lines again");
	if (dropped)
		say_dropped(store);
	store->drops = (store->drops || dropped) && store->left.batches;
}

static void plan(struct collector *c, bool failed)
{
	struct store *store = &c->store;

	if (failed) {
		store->next_ns = now_ns() + spread(c, store->pause_s);
		store->not_before_ns = now_ns() + PAUSE_MIN_S * S_NS;
		store->pause_s = store->pause_s * 2 < PAUSE_MAX_S ? store->pause_s * 2 : PAUSE_MAX_S;
	} else if (store->sends) {
		store->pause_s = PAUSE_MIN_S;
		store->next_ns = store->left.batches ? now_ns() : 0;
	}
	if (store->left.lines && !store->new_lines) {
		/* The lines came meanwhile, or an earlier stintd left them. */
		store->new_lines = store->left.lines;
		store->first_ns = now_ns();
	}
}

/* If stint-epilog sent nothing, its success does not show that the store works again. */
static void settle(struct collector *c, bool failed, bool counted, const struct store_left *left)
{
	struct store *store = &c->store;
	const struct store_left before = store->left;
	bool fails = failed || (!store->sends && store->failing_since_s);

	status_changed(c);
	if (counted)
		store->left = *left;
	say(store, fails, &before);
	store->known |= counted;
	if (!fails)
		store->failing_since_s = 0;
	else if (!store->failing_since_s)
		store->failing_since_s = time(NULL);
	plan(c, failed);
}

bool store_ended(struct collector *c, int pid, int status)
{
	struct store *store = &c->store;
	struct deliver_failure said;
	struct store_left left = { .dropped_uid = UINT32_MAX };
	bool failed, counted;

	if (!store->pid || pid != store->pid)
		return false;
	store->pid = 0;
	if (store->pidfd >= 0)
		close(store->pidfd);
	deliver_why(store->why_fd, status, &said);
	failed = status != 0;
	counted = sscanf(said.whose, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32, &left.lines,
			 &left.batches, &left.bytes, &left.dropped, &left.dropped_uid) >= 4;
	if (failed)
		snprintf(store->why, sizeof(store->why), "%s", said.why);
	settle(c, failed, counted, &left);
	return true;
}

void store_end(struct collector *c)
{
	struct store *store = &c->store;
	struct pollfd ended = { -1, POLLIN, 0 };

	if (!conf_has_store(&c->conf) || (!store->new_lines && !store->left.batches && !store->pid))
		return;
	/*
	 * A running stint-epilog --store may have missed the last lines. So start another one, which waits for the
	 * running one.
	 */
	start(c, store->failing_since_s ? "seal" : "all");
	ended.fd = store->pid ? store->pidfd : -1;
	if (ended.fd >= 0)
		poll(&ended, 1, END_MS);
}
