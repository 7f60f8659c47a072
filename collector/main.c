/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stintd: loads the kernel programs, follows the jobs of a node, hands over their records. */
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/clock.h"
#include "collector/close.h"
#include "collector/collector.h"
#include "collector/common/file.h"
#include "collector/common/usage.h"
#include "collector/follow.h"
#include "collector/keep.h"
#include "collector/live.h"
#include "collector/server.h"
#include "collector/show.h"
#include "collector/status.h"

#define TICK_MS 1000
#define ENDING_MS 10    /* between two looks at a job whose last processes are going */
#define RETRY_TICKS 60  /* between two looks at the records that are left in the spool */

const char *argp_program_version = "stintd " PACKAGE_VERSION;

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0, "Configuration (default: " CONF_PATH ", if there)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct collector *c = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		usage_begin(state);
		return 0;
	case 'c':
		c->conf_path = argument;
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

/* Where stint-epilog is: a build tree can say so, since whoever starts stintd is root. */
static void find_libexec(struct collector *c)
{
	const char *told = getenv("STINT_LIBEXEC");

	snprintf(c->libexec_dir, sizeof(c->libexec_dir), "%s", told && *told ? told : LIBEXECDIR);
}

/* Tells systemd (Type=notify) that jobs can come. */
static void tell_ready(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (!path || strlen(path) >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, strlen(path));
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, "READY=1", 7, MSG_NOSIGNAL, (struct sockaddr *)&address,
	       offsetof(struct sockaddr_un, sun_path) + strlen(path));
	close(fd);
}

static void take_message(const struct control_message *message, int reply_fd, void *data)
{
	struct collector *c = data;

	if (message->kind == CONTROL_HELLO) {
		close_reply(reply_fd, message->kind, 0, "");
		return;
	}
	/* What was told of the job before, and came by a note, is known before its end is. */
	if (message->kind == CONTROL_JOB_CLOSE || (message->kind != CONTROL_OPEN && !jobs__find(&c->jobs, message)))
		follow_notes(c);
	follow_message(c, message, reply_fd);
	keep_remove_note(c->run_fd, message);
}

/*
 * What is large (timelines, series, what loading took) is given back to the kernel when it is freed, and not kept for a
 * next time: how large it was once must not be how large stintd stays.
 */
static void keep_memory_small(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 64 * 1024);
	mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

static int prepare(struct collector *c, struct error *err)
{
	if (conf_load_default(&c->conf, c->conf_path, err) < 0)
		return -1;
	if (geteuid() != 0)
		return error_set(err, "must run as root: it loads kernel programs and writes reports as their users");
	find_libexec(c);
	c->run_fd = file_open_own_directory(c->conf.run_dir, err);
	if (c->run_fd < 0)
		return -1;
	if (keep_prepare(c->run_fd, err) < 0 || live_prepare(c->run_fd, err) < 0 || cgroup_layout_read(&c->layout, err) < 0)
		return -1;
	if (spool_open(&c->spool, &c->conf, c->run_fd, err) < 0)
		return -1;
	if (err->text[0])
		collector_log("the spool cannot be used, records are kept in memory until it can: %s", err->text);
	c->topology = topology_open(&c->topology_error);
	c->programs = programs__open(&c->conf, err);
	if (!c->programs || programs__on_event(c->programs, follow_event, c, err) < 0)
		return -1;
	spool_look(&c->spool, &c->spool_told);
	return status_write(c, err);
}

/* Says what a person who reads the log should know of this start. */
static void log_start(const struct collector *c)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	const char *version, *why;
	bool same, replaced = programs__replaced(c->programs, &why);

	collector_log("version " PACKAGE_VERSION ", %s; socket %s/%s",
		      programs__taken_over(c->programs) ? "took over what was counting" :
		      replaced ? "took over what another version had counted" : "counts from now on",
		      c->conf.run_dir, CONTROL_SOCKET);
	version = programs__version(c->programs, &same);
	if (!same)
		collector_log("the kernel programs are another build's, of version %s, until stintd starts when it counts no job",
			      version);
	if (*why)
		collector_log("what was counting could not be taken over: %s", why);
	if (programs__foreign_pins(c->programs))
		collector_log("%s: %d things in it are not stint's and are left alone", c->conf.bpf_dir,
			      programs__foreign_pins(c->programs));
	if (!programs__pinned(c->programs))
		collector_log("%s is on no bpffs: a restart in mid-job will lose what was counted (mount -t bpf bpf DIR)",
			      c->conf.bpf_dir);
	for (int i = 0; i < count; i++)
		if (!states[i].loaded)
			collector_log("without %s: %s", states[i].name, states[i].reason);
	if (!c->topology)
		collector_log("without cores: %s", c->topology_error.text);
}

struct loop {
	int epoll_fd;
	int signal_fd;
	int timer_fd;
	struct server *server;
	uint64_t next_second_ns;
	unsigned int seconds;
	bool sample; /* it is time to look at the jobs */
	bool fast; /* a job's last processes are going */
	bool stop;
};

static int watch(struct loop *loop, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static void set_timer(struct loop *loop, int ms)
{
	struct itimerspec spec = {
		.it_interval = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 },
		.it_value = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 },
	};

	timerfd_settime(loop->timer_fd, 0, &spec, NULL);
}

static int loop_open(struct loop *loop, struct collector *c, struct error *err)
{
	struct error why = { "" };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	loop->server = server_open(c->conf.run_dir, take_message, c, err);
	if (!loop->server)
		return -1;
	if (watch(loop, loop->signal_fd) < 0 || watch(loop, loop->timer_fd) < 0 ||
	    watch(loop, server_fd(loop->server)) < 0 || watch(loop, programs__events_fd(c->programs)) < 0)
		return error_errno(err, "the event loop");
	/* Without it jobs are counted and reported as ever. */
	c->show = show_open(c->conf.run_dir, &why);
	if (!c->show || watch(loop, show_fd(c->show)) < 0)
		collector_log("running jobs are not shown: %s", why.text);
	set_timer(loop, TICK_MS);
	return 0;
}

static void reap(struct collector *c)
{
	int pid, status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (!show_child_ended(c->show, pid))
			close_child_ended(c, pid, status);
	/* A slow report's epilog has given up and left its close as a note: it is known here, and would not be to the next stintd. */
	follow_notes(c);
}

static void take_signals(struct loop *loop, struct collector *c)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(c);
		else
			loop->stop = true;
	}
}

/* Jobs that wait for their last processes are looked at every 10 ms; all else has a second's time. */
static void look_at_closing(struct loop *loop, struct collector *c, bool sample)
{
	bool waiting = follow_tick(c, sample);

	if (waiting == loop->fast)
		return;
	loop->fast = waiting;
	set_timer(loop, waiting ? ENDING_MS : TICK_MS);
}

static void tick(struct loop *loop, struct collector *c)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now < loop->next_second_ns)
		return;
	loop->next_second_ns = now + (TICK_MS - ENDING_MS / 2) * 1000000ull;
	loop->seconds++;
	programs__drain(c->programs);
	server_tick(loop->server);
	collector_log_tick();
	follow_notes(c);
	if (loop->seconds % RETRY_TICKS == 0)
		close_retry(c);
	loop->sample = loop->seconds % c->conf.sample_interval_s == 0;
}

static void run(struct loop *loop, struct collector *c)
{
	while (!loop->stop) {
		struct epoll_event events[8];
		int n = epoll_wait(loop->epoll_fd, events, 8, -1);
		uint64_t count;

		loop->sample = false;
		for (int i = 0; i < n; i++) {
			int fd = events[i].data.fd;

			if (fd == loop->signal_fd)
				take_signals(loop, c);
			else if (fd == loop->timer_fd && read(fd, &count, sizeof(count)) > 0)
				tick(loop, c);
			else if (fd == server_fd(loop->server))
				server_run(loop->server);
			else if (c->show && fd == show_fd(c->show))
				show_run(c->show, c);
			else
				programs__drain(c->programs);
		}
		look_at_closing(loop, c, loop->sample);
	}
}

int main(int argc, char **argv)
{
	static struct collector c;
	struct loop loop = {};
	struct error err;

	keep_memory_small();
	usage_parse(&argp, argc, argv, 0, &c);
	if (prepare(&c, &err) < 0 || loop_open(&loop, &c, &err) < 0) {
		fprintf(stderr, "stintd: %s\n", err.text);
		return 1;
	}
	log_start(&c);
	follow_resume(&c);
	close_retry(&c);
	malloc_trim(0);
	tell_ready();
	run(&loop, &c);
	show_close(c.show);
	server_close(loop.server);
	if (programs__pinned(c.programs))
		follow_hand_over(&c);
	programs__close(c.programs);
	topology_close(c.topology);
	collector_log("stops; %s", c.jobs.count ? "the open jobs go on being counted if the programs are pinned" : "no job is open");
	return 0;
}
