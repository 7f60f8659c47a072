/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd: loads the kernel programs, follows the jobs of a node, and has their reports written. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/answer_query.h"
#include "collector/check.h"
#include "collector/close_job.h"
#include "collector/collector.h"
#include "collector/follow.h"
#include "collector/host/stretch.h"
#include "collector/host/systemd.h"
#include "collector/journal/handover.h"
#include "collector/journal/journal.h"
#include "collector/kernel/upgrade/upgrade.h"
#include "collector/overdue.h"
#include "collector/pressure_limit.h"
#include "collector/reply.h"
#include "collector/retry.h"
#include "collector/server.h"
#include "collector/status.h"
#include "collector/writer/writer_cgroups.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/usage.h"

#define TICK_MS 1000
#define ENDING_MS 10    /* between two looks at a job whose last processes are ending */
#define STATUS_TICKS 10 /* between two looks at what the status file has */
#define RETRY_TICKS 60  /* between two looks at the records that are left in the spool */

#define EXIT_CONF 78 /* sysexits.h's EX_CONFIG; stintd.service has it, too: RestartPreventExitStatus= */

const char *argp_program_version = "stintd " PACKAGE_VERSION;

enum { OPTION_CHECK = 256, OPTION_DELEGATED, OPTION_RELEASE };

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0, "Configuration (default: " CONF_PATH ", if there)", 0 },
	{ "check", OPTION_CHECK, NULL, 0, "Print what the configuration would bring about, and end", 0 },
	{ "delegated", OPTION_DELEGATED, NULL, 0,
	  "The cgroup in which stintd starts is its own (Delegate=memory): the writers of each user have one below it", 0 },
	{ "release", OPTION_RELEASE, NULL, 0,
	  "Give that cgroup back as it was, so that systemd can start stintd in it again, and end", 0 },
	{ 0 },
};

struct arguments {
	const char *conf_path;
	bool check, delegated, release;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'c':
		arguments->conf_path = argument;
		return 0;
	case OPTION_CHECK:
		arguments->check = true;
		return 0;
	case OPTION_DELEGATED:
		arguments->delegated = true;
		return 0;
	case OPTION_RELEASE:
		arguments->release = true;
		return 0;
	case ARGP_KEY_ARG:
		usage_fail(state, "there are no arguments: '%s'", argument);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "The collector of stint: records what the Slurm jobs of this node do. "
	       "It stays in the foreground; systemd, or whoever starts it, puts it into the background.\v"
	       "See stintd(8) and stint.conf(5).",
};

/* Finds where stint-epilog is. The environment is trusted, since only root starts stintd: a build tree uses that. */
static void find_libexec(struct collector *c)
{
	const char *set = getenv("STINT_LIBEXEC");

	snprintf(c->libexec_dir, sizeof(c->libexec_dir), "%s", set && *set ? set : LIBEXECDIR);
}

static void take_message(const struct control_message *message, int reply_fd, void *data)
{
	struct collector *c = data;

	if (message->kind == CONTROL_HELLO) {
		reply_send(reply_fd, message->kind, 0, "");
		return;
	}
	/* Where the end of the job was in a note, those of its steps were read before: this is one of them once more. */
	if (message->kind != CONTROL_JOB_CLOSE && jobs__was_closed(&c->jobs, message)) {
		reply_send(reply_fd, message->kind, 0, "");
		journal_remove_note(c->run_fd, message);
		return;
	}
	/* Earlier messages of the job that came as notes are read before the job's end is. */
	if (message->kind == CONTROL_JOB_CLOSE || (message->kind != CONTROL_OPEN && !jobs__find(&c->jobs, message)))
		follow_notes(c);
	follow_message(c, message, reply_fd);
	journal_remove_note(c->run_fd, message);
}

/*
 * Has large memory (timelines, series, what loading took) go back to the kernel when it is freed, so that stintd does
 * not stay as large as it once was.
 */
static void keep_memory_small(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 64 * 1024);
	mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

static int prepare(struct collector *c, struct error *err)
{
	if (geteuid() != 0)
		return error_set(err, "must run as root: it loads kernel programs and writes reports as their users");
	find_libexec(c);
	c->run_fd = file_open_own_directory(c->conf.run_dir, err);
	/* The programs of another stintd would lose their pins, and so what they count when it starts again. */
	if (c->run_fd < 0 || server_check(c->conf.run_dir, err) < 0)
		return -1;
	if (journal_prepare(c->run_fd, err) < 0 || handover_prepare(c->run_fd, err) < 0 ||
	    cgroup_layout_read(&c->layout, err) < 0)
		return -1;
	if (spool_open(&c->spool, &c->conf, c->run_fd, err) < 0)
		return -1;
	if (err->text[0])
		collector_log(LOG_ERR, "the spool cannot be used, records are kept in memory until it can: %s",
			      err->text);
	c->topology = topology_open(&c->topology_error);
	c->programs = programs__open(&c->conf, upgrade_replace, err);
	if (!c->programs || programs__on_event(c->programs, follow_event, c, err) < 0 ||
	    programs__set_rush(c->programs, wait_rate_rush_ns(c->conf.follow_waits_per_s), err) < 0)
		return -1;
	c->tally = tally_open();
	spool_look(&c->spool, &c->status_spool);
	return status_write(c, err);
}

/* Logs what an administrator should know of this start. */
static void log_start(const struct collector *c)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	const char *version, *why;
	bool same, replaced = programs__replaced(c->programs, &why);

	collector_log(LOG_NOTICE, "version " PACKAGE_VERSION ", %s; socket %s/%s",
		      programs__taken_over(c->programs) ? "took over what was counting"
		      : replaced                        ? "took over what another version had counted"
							: "counts from now on",
		      c->conf.run_dir, CONTROL_SOCKET);
	version = programs__version(c->programs, &same);
	if (!same)
		collector_log(
			LOG_NOTICE,
			"the kernel programs are another build's, of version %s, until stintd starts when it counts no job",
			version);
	if (*why)
		collector_log(LOG_WARNING, "what was counting could not be taken over: %s", why);
	if (programs__foreign_pins(c->programs))
		collector_log(LOG_WARNING, "%s: %d things in it are not stint's and are left alone", c->conf.bpf_dir,
			      programs__foreign_pins(c->programs));
	if (!programs__pinned(c->programs))
		collector_log(
			LOG_WARNING,
			"%s is on no bpffs: a restart in mid-job will lose what was counted (mount -t bpf bpf DIR)",
			c->conf.bpf_dir);
	for (int i = 0; i < count; i++)
		if (!states[i].loaded)
			collector_log(LOG_NOTICE, "without %s: %s", states[i].name, states[i].reason);
	if (!c->topology)
		collector_log(LOG_NOTICE, "without cores: %s", c->topology_error.text);
}

/* Reports are written without these, too; but then what users keep in memory counts as stintd's own. */
static void make_cgroups(struct collector *c)
{
	struct error why;

	if (writer_cgroups_make(&c->layout, c->writers_dir, &why) == 0)
		return;
	c->writers_dir[0] = '\0';
	collector_log(LOG_WARNING, "writers have no cgroups of their own: %s", why.text);
}

static int release_cgroups(void)
{
	struct cgroup_layout layout;
	struct error err;

	if (cgroup_layout_read(&layout, &err) == 0 && writer_cgroups_release(&layout, &err) == 0)
		return 0;
	log_line(LOG_ERR, "stintd", "%s", err.text);
	return 1;
}

struct loop {
	int epoll_fd;
	int signal_fd;
	int timer_fd;
	struct server *server;
	uint64_t next_second_ns;
	unsigned int seconds;
	bool sample; /* it is time to sample the jobs */
	bool fast; /* a job's last processes are ending */
	bool all; /* SIGUSR1: nothing waits for its time */
	bool stop;
};

static int watch(struct loop *loop, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/*
 * Opens what tells stintd not to rest: the plugin waits for an answer, a child has ended or answered, or a job's last
 * processes are to be looked at. Users cannot bring that about at will.
 */
static int open_urgent(const struct loop *loop, const struct collector *c)
{
	const int fds[] = { loop->signal_fd, loop->timer_fd, server_fd(loop->server), keeper_fd(&c->keeper) };
	int urgent = epoll_create1(EPOLL_CLOEXEC);

	for (size_t i = 0; urgent >= 0 && i < sizeof(fds) / sizeof(fds[0]); i++) {
		struct epoll_event event = { .events = EPOLLIN };

		if (epoll_ctl(urgent, EPOLL_CTL_ADD, fds[i], &event) < 0)
			return -1;
	}
	return urgent;
}

static void set_timer(struct loop *loop, int ms)
{
	struct itimerspec spec = {
		.it_interval = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 },
		.it_value = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 },
	};

	timerfd_settime(loop->timer_fd, 0, &spec, NULL);
}

static bool events_fill(const void *programs)
{
	return programs__events_fill(programs);
}

static int loop_open(struct loop *loop, struct collector *c, struct error *err)
{
	struct error why = { "" };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	loop->server = server_open(c->conf.run_dir, take_message, c, err);
	if (!loop->server)
		return -1;
	if (keeper_open(&c->keeper, err) < 0)
		return -1;
	if (watch(loop, loop->signal_fd) < 0 || watch(loop, loop->timer_fd) < 0 ||
	    watch(loop, keeper_fd(&c->keeper)) < 0 || watch(loop, server_fd(loop->server)) < 0 ||
	    watch(loop, programs__events_fd(c->programs)) < 0)
		return error_errno(err, "the event loop");
	c->urgent_fd = open_urgent(loop, c);
	if (c->urgent_fd < 0)
		return error_errno(err, "the event loop");
	stretch_watch(events_fill, c->programs);
	/* Without the query socket jobs are counted and reported all the same. */
	c->queries = query_open(c->conf.run_dir, &why);
	if (!c->queries || watch(loop, query_fd(c->queries)) < 0)
		collector_log(LOG_WARNING, "running jobs are not shown: %s", why.text);
	/* Without the helper each writer asks Slurm for itself. */
	c->asking = asking_open(c->conf.run_dir, c->libexec_dir, &why);
	if (!c->asking || watch(loop, asking_fd(c->asking)) < 0)
		collector_log(LOG_WARNING, "each report's writer asks Slurm for itself: %s", why.text);
	set_timer(loop, TICK_MS);
	return 0;
}

static void reap(struct collector *c)
{
	int pid, status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (!query_child_ended(c->queries, pid) && !asking_child_ended(c->asking, pid, status) &&
		    !retry_ended(c, pid) && !store_ended(c, pid, status))
			close_child_ended(c, pid, status);
	/*
	 * Where a report was slow, the epilog's plugin has left its message as a note. This stintd knows that it was
	 * handled, and the next one would not: so the notes are read now.
	 */
	follow_notes(c);
}

static void take_signals(struct loop *loop, struct collector *c)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(c);
		else if (info.ssi_signo == SIGUSR1)
			loop->all = true;
		else
			loop->stop = true;
	}
}

/* Looks at jobs that wait for their last processes every 10 ms; everything else is done once a second. */
static void look_at_closing(struct loop *loop, struct collector *c, bool sample)
{
	bool waiting;

	overdue_extern_ended(c);
	waiting = follow_tick(c, sample);

	if (waiting == loop->fast)
		return;
	loop->fast = waiting;
	set_timer(loop, waiting ? ENDING_MS : TICK_MS);
}

/* Makes all due that waits for a time: an administrator has mended what it waited for, or wants to know how things stand. */
static void hurry(struct collector *c)
{
	c->spool.last_pass_s = 0;
	c->readings.after_ns = 0;
	store_hurry(c);
	status_changed(c);
}

static void tick(struct loop *loop, struct collector *c, bool all)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now < loop->next_second_ns && !all)
		return;
	if (all)
		hurry(c);
	if (!loop->fast) /* else an epilog waits */
		stretch_allow(c->urgent_fd);
	loop->next_second_ns = now + (TICK_MS - ENDING_MS / 2) * 1000000ull;
	loop->seconds++;
	programs__drain(c->programs);
	server_tick(loop->server);
	query_tick(c->queries);
	collector_log_tick();
	stretch_rest();
	follow_notes(c);
	stretch_rest();
	overdue_tick(c);
	stretch_rest();
	deliver_tick(c);
	stretch_rest();
	store_tick(c);
	stretch_rest();
	if (c->trim)
		malloc_trim(0);
	c->trim = false;
	stretch_rest();
	if (all || loop->seconds % RETRY_TICKS == 0) {
		retry_start(c);
		writer_cgroups_tidy(c->writers_dir);
	}
	if (!all && loop->seconds % STATUS_TICKS == 0)
		status_tick(c);
	stretch_rest();
	stretch_end();
	loop->sample = all || loop->seconds % c->conf.sample_interval_s == 0;
}

static void run(struct loop *loop, struct collector *c)
{
	while (!loop->stop) {
		struct epoll_event events[8];
		int n = epoll_wait(loop->epoll_fd, events, 8, -1);
		uint64_t count;
		bool all;

		loop->sample = false;
		for (int i = 0; i < n; i++) {
			int fd = events[i].data.fd;

			if (fd == loop->signal_fd)
				take_signals(loop, c);
			else if (fd == loop->timer_fd && read(fd, &count, sizeof(count)) > 0)
				tick(loop, c, false);
			else if (fd == keeper_fd(&c->keeper))
				close_kept(c);
			else if (fd == server_fd(loop->server))
				server_run(loop->server);
			else if (c->queries && fd == query_fd(c->queries))
				query_run(c->queries, c);
			else if (c->asking && fd == asking_fd(c->asking))
				asking_run(c->asking);
			else
				programs__drain(c->programs);
		}
		all = loop->all;
		loop->all = false;
		if (all)
			tick(loop, c, true);
		if (loop->sample) /* on a busy node, the rests of tick() have taken long, and those of a sample do */
			programs__drain(c->programs);
		look_at_closing(loop, c, loop->sample);
		if (all) /* who sent the signal sees by the new file that all of it was looked at */
			status_tick(c);
	}
}

/* By default it ends a process: one that comes while stintd starts waits for the loop. */
static void hold_hurry(void)
{
	sigset_t hurry;

	sigemptyset(&hurry);
	sigaddset(&hurry, SIGUSR1);
	sigprocmask(SIG_BLOCK, &hurry, NULL);
}

int main(int argc, char **argv)
{
	static struct collector c;
	struct arguments arguments = { 0 };
	struct loop loop = {};
	const char *conf_path;
	struct error err;

	hold_hurry();
	keep_memory_small();
	usage_parse(&argp, argc, argv, 0, &arguments);
	if (arguments.release)
		return release_cgroups();
	c.conf_path = arguments.conf_path;
	conf_path = c.conf_path ? c.conf_path : CONF_PATH;
	/* No later start would go better until somebody has mended the file. */
	if (conf_load_default(&c.conf, c.conf_path, &err) < 0) {
		if (!arguments.check || check_mistakes(conf_path) <= 0)
			log_line(LOG_ERR, "stintd", "%s", err.text);
		return EXIT_CONF;
	}
	if (arguments.check)
		return check_print(&c.conf, conf_path) < 0;
	if (prepare(&c, &err) < 0 || loop_open(&loop, &c, &err) < 0) {
		log_line(LOG_ERR, "stintd", "%s", err.text);
		programs__give_up(c.programs);
		return 1;
	}
	log_start(&c);
	if (arguments.delegated)
		make_cgroups(&c);
	deliver_begin();
	follow_resume(&c);
	retry_start(&c);
	store_begin(&c);
	malloc_trim(0);
	systemd_tell("READY=1");
	run(&loop, &c);
	query_close(c.queries);
	asking_close(c.asking);
	c.asking = NULL; /* the store's last run needs none */
	server_close(loop.server);
	if (programs__pinned(c.programs))
		follow_hand_over(&c);
	programs__close(c.programs);
	topology_close(c.topology);
	store_end(&c);
	collector_log(LOG_NOTICE, "stops; %s",
		      c.jobs.count ? "the open jobs are still counted if the programs are pinned" : "no job is open");
	return 0;
}
