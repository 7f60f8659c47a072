/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main program of stintd. */
#include <argp.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/answer_query.h"
#include "collector/close_job.h"
#include "collector/collector.h"
#include "collector/daemon/check.h"
#include "collector/follow/follow.h"
#include "collector/follow/gpu_watch.h"
#include "collector/follow/overdue.h"
#include "collector/follow/resume.h"
#include "collector/follow/take_event.h"
#include "collector/host/loop.h"
#include "collector/host/systemd.h"
#include "collector/journal/handover.h"
#include "collector/journal/journal.h"
#include "collector/kernel/upgrade/upgrade.h"
#include "collector/metrics/metrics.h"
#include "collector/pressure_limit.h"
#include "collector/retry.h"
#include "collector/server.h"
#include "collector/status.h"
#include "collector/writer/writer_cgroups.h"
#include "common/file.h"
#include "common/usage.h"

#define STATUS_S 10 /* period of status_tick() */
#define RETRY_S 60  /* period of retry_start() */

#define EXIT_CONF 78 /* EX_CONFIG; RestartPreventExitStatus= of stintd.service has it, too */

const char *argp_program_version = "stintd " PACKAGE_VERSION;

enum { OPTION_CHECK = 256, OPTION_DELEGATED, OPTION_RELEASE };

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0, "Configuration (default: " CONF_PATH ", if it exists)", 0 },
	{ "check", OPTION_CHECK, NULL, 0, "Print what stintd would do with this configuration, and exit", 0 },
	{ "delegated", OPTION_DELEGATED, NULL, 0,
	  "stintd owns the cgroup in which it starts (Delegate=memory), and makes one below it for the writers of each user", 0 },
	{ "release", OPTION_RELEASE, NULL, 0,
	  "Remove the memory controller from the cgroups below stintd's, so that systemd can start stintd there again, and exit", 0 },
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
		usage_fail(state, "stintd takes no arguments: '%s'", argument);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "The collector of stint: records what the Slurm jobs of this node do. "
	       "It stays in the foreground: systemd runs it as a service.\v"
	       "See stintd(8) and stint.conf(5).",
};

/*
 * STINT_LIBEXEC is for build trees, STINT_DEV for tests on machines without GPUs. stintd can trust the environment,
 * because only root starts stintd.
 */
static void find_directories(struct collector *c)
{
	const char *libexec = getenv("STINT_LIBEXEC"), *dev = getenv("STINT_DEV");

	snprintf(c->libexec_dir, sizeof(c->libexec_dir), "%s", libexec && *libexec ? libexec : LIBEXECDIR);
	snprintf(c->dev_dir, sizeof(c->dev_dir), "%s", dev && *dev ? dev : "/dev");
}

/* Makes free() return large blocks to the kernel, so that stintd becomes small again. */
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
	find_directories(c);
	c->run_fd = file_open_own_directory(c->conf.run_dir, err);
	/*
	 * Do not start beside another stintd. This start would replace the pinned programs, and their counts would be
	 * lost.
	 */
	if (c->run_fd < 0 || server_check(c->conf.run_dir, err) < 0)
		return -1;
	if (journal_prepare(c->run_fd, err) < 0 || handover_prepare(c->run_fd, err) < 0 ||
	    cgroup_layout_read(&c->layout, err) < 0)
		return -1;
	if (spool_open(&c->spool, &c->conf, c->run_fd, err) < 0)
		return -1;
	if (err->text[0])
		collector_log(LOG_ERR, "stintd cannot use the spool, and keeps records in memory until it can: %s",
			      err->text);
	c->topology = topology_open(&c->topology_error);
	c->programs = programs__open(&c->conf, upgrade_replace, err);
	if (!c->programs || programs__on_event(c->programs, take_event, c, err) < 0 ||
	    programs__set_rush(c->programs, wait_rate_rush_ns(c->conf.follow_waits_per_s), err) < 0)
		return -1;
	c->tally = tally_open();
	return status_write(c, err);
}

static void log_start(const struct collector *c)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(c->programs, states);
	const char *version, *why;
	bool same, replaced = programs__replaced(c->programs, &why);

	collector_log(LOG_NOTICE, "version " PACKAGE_VERSION ", %s; socket %s/%s",
		      programs__taken_over(c->programs) ? "took over the kernel programs that were counting"
		      : replaced                        ? "took over what another version had counted"
							: "counts from now on",
		      c->conf.run_dir, CONTROL_SOCKET);
	version = programs__version(c->programs, &same);
	if (!same)
		collector_log(
			LOG_NOTICE,
			"the kernel programs are those of another build, version %s: stintd replaces them when it starts "
			"while no job runs",
			version);
	if (*why)
		collector_log(LOG_WARNING, "stintd could not take over the kernel programs that were counting: %s", why);
	if (programs__foreign_pins(c->programs))
		collector_log(LOG_WARNING, "%s contains %d entries that are not stint's: stintd leaves them alone", c->conf.bpf_dir,
			      programs__foreign_pins(c->programs));
	if (!programs__pinned(c->programs))
		collector_log(
			LOG_WARNING,
			"%s is not on a bpffs: a restart of stintd during a job will lose what it had counted (mount -t bpf bpf DIR)",
			c->conf.bpf_dir);
	for (int i = 0; i < count; i++)
		if (!states[i].loaded)
			collector_log(LOG_NOTICE, "without %s: %s", states[i].name, states[i].reason);
	if (!c->topology)
		collector_log(LOG_NOTICE, "without cores: %s", c->topology_error.text);
}

/* Makes cgroups for the writers. Otherwise users' reports in memory (tmpfs) would count as stintd's own memory. */
static void make_cgroups(struct collector *c)
{
	struct error why;

	if (writer_cgroups_make(&c->layout, c->writers_dir, &why) == 0)
		return;
	c->writers_dir[0] = '\0';
	collector_log(LOG_WARNING, "stintd cannot make cgroups for the writers: %s", why.text);
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

static void run_server(struct collector *c)
{
	server_run(c->server);
}

static void run_queries(struct collector *c)
{
	query_run(c->queries, c);
}

static void run_asking(struct collector *c)
{
	asking_run(c->asking);
}

static void drain(struct collector *c)
{
	programs__drain(c->programs);
}

static void tick_sockets(struct collector *c)
{
	server_tick(c->server);
	query_tick(c->queries);
	collector_log_tick();
}

static void trim(struct collector *c)
{
	if (c->trim)
		malloc_trim(0);
	c->trim = false;
}

static void tidy_cgroups(struct collector *c)
{
	writer_cgroups_tidy(c->writers_dir);
}

static void sample_is_due(struct collector *c)
{
	c->sample_due = true;
}

static void status_is_due(struct collector *c)
{
	c->status_due = true;
}

static bool query_ended(struct collector *c, int pid, int status)
{
	(void)status;
	return query_child_ended(c->queries, pid);
}

static bool asking_ended(struct collector *c, int pid, int status)
{
	return asking_child_ended(c->asking, pid, status);
}

/* Makes all waiting work due now, for example after an administrator fixed a failure. */
static void hurry(struct collector *c)
{
	c->spool.last_pass_s = 0;
	c->readings.after_ns = 0;
	store_hurry(c);
	status_changed(c);
}

static void look_at_jobs(struct collector *c)
{
	bool sample = c->sample_due;

	c->sample_due = false;
	if (sample) /* first, because a sample can take long */
		programs__drain(c->programs);
	overdue_extern_ended(c);
	loop_set_fast(c->loop, follow_tick(c, sample));
}

/* Runs last in a round. After SIGUSR1, a newer status file shows that stintd has checked everything. */
static void write_status(struct collector *c)
{
	if (c->status_due) {
		metrics_tick(c);
		status_tick(c);
	}
	c->status_due = false;
}

static bool events_fill(const void *programs)
{
	return programs__events_fill(programs);
}

static void plan_work(struct collector *c)
{
	struct loop *loop = c->loop;

	loop_every(loop, 1, drain);
	loop_every(loop, 1, tick_sockets);
	loop_every(loop, 1, follow_notes);
	loop_every(loop, 1, overdue_tick);
	loop_every(loop, 1, gpu_watch);
	loop_every(loop, 1, deliver_tick);
	loop_every(loop, 1, store_tick);
	loop_every(loop, 1, trim);
	loop_every(loop, RETRY_S, retry_start);
	loop_every(loop, RETRY_S, tidy_cgroups);
	loop_every(loop, STATUS_S, status_is_due);
	loop_every(loop, c->conf.sample_interval_s, sample_is_due);
	loop_children(loop, query_ended);
	loop_children(loop, asking_ended);
	loop_children(loop, retry_ended);
	loop_children(loop, store_ended);
	loop_children(loop, close_child_ended);
	loop_children(loop, gpu_watch_ended);
	loop_at(loop, LOOP_HURRY, hurry);
	/*
	 * If a report is slow, the plugin leaves a note of its message, although stintd handles this message. Read the
	 * note now. Otherwise the next stintd would handle the message again.
	 */
	loop_at(loop, LOOP_REAPED, follow_notes);
	loop_at(loop, LOOP_ROUND, look_at_jobs);
	loop_at(loop, LOOP_ROUND, write_status);
}

/* stintd counts jobs even if it cannot open one of these sockets. */
static void open_helpers(struct collector *c)
{
	struct error why = { "" };

	c->queries = query_open(c->conf.run_dir, &why);
	if (!c->queries || loop_watch(c->loop, query_fd(c->queries), LOOP_CAN_WAIT, run_queries, &why) < 0)
		collector_log(LOG_WARNING, "stintd cannot answer queries of running jobs: %s", why.text);
	c->asking = asking_open(c->conf.run_dir, c->libexec_dir, &why);
	if (!c->asking || loop_watch(c->loop, asking_fd(c->asking), LOOP_CAN_WAIT, run_asking, &why) < 0)
		collector_log(LOG_WARNING, "each writer of a report asks Slurm itself: %s", why.text);
}

static int open_loop(struct collector *c, struct error *err)
{
	c->loop = loop_open(c, err);
	if (!c->loop)
		return -1;
	c->server = server_open(c->conf.run_dir, follow_received, c, err);
	if (!c->server || keeper_open(&c->keeper, err) < 0)
		return -1;
	if (loop_watch(c->loop, keeper_fd(&c->keeper), LOOP_URGENT, close_kept, err) < 0 ||
	    loop_watch(c->loop, server_fd(c->server), LOOP_URGENT, run_server, err) < 0 ||
	    loop_watch(c->loop, programs__events_fd(c->programs), LOOP_CAN_WAIT, drain, err) < 0)
		return -1;
	loop_empties(c->loop, events_fill, c->programs);
	open_helpers(c);
	plan_work(c);
	return 0;
}

/* Blocks SIGUSR1 during the start. By default, the signal would end stintd. */
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
	const char *conf_path;
	struct error err;

	hold_hurry();
	keep_memory_small();
	usage_parse(&argp, argc, argv, 0, &arguments);
	if (arguments.release)
		return release_cgroups();
	c.conf_path = arguments.conf_path;
	conf_path = c.conf_path ? c.conf_path : CONF_PATH;
	/* EXIT_CONF tells systemd not to restart stintd before the file is corrected. */
	if (conf_load_default(&c.conf, c.conf_path, &err) < 0) {
		if (!arguments.check || check_mistakes(conf_path) <= 0)
			log_line(LOG_ERR, "stintd", "%s", err.text);
		return EXIT_CONF;
	}
	if (arguments.check)
		return check_print(&c.conf, conf_path) < 0;
	if (prepare(&c, &err) < 0 || open_loop(&c, &err) < 0) {
		log_line(LOG_ERR, "stintd", "%s", err.text);
		programs__give_up(c.programs);
		return 1;
	}
	log_start(&c);
	metrics_begin(&c);
	if (arguments.delegated)
		make_cgroups(&c);
	deliver_begin();
	resume_all(&c);
	retry_start(&c);
	store_begin(&c);
	malloc_trim(0);
	systemd_tell("READY=1");
	loop_run(c.loop);
	metrics_end(&c);
	query_close(c.queries);
	asking_close(c.asking);
	c.asking = NULL; /* the last stint-epilog --store needs no socket */
	server_close(c.server);
	if (programs__pinned(c.programs))
		resume_hand_over(&c);
	programs__close(c.programs);
	loop_close(c.loop);
	topology_close(c.topology);
	store_end(&c);
	collector_log(LOG_NOTICE, "stops; %s",
		      c.jobs.count ? "the open jobs are still counted if the programs are pinned" : "no job is open");
	return 0;
}
