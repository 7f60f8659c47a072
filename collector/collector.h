/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of stintd, shared by all its parts. */
#ifndef STINT_COLLECTOR_H
#define STINT_COLLECTOR_H

#include "collector/asking.h"
#include "collector/deliver.h"
#include "collector/host/cgroup.h"
#include "collector/host/log.h"
#include "collector/host/topology.h"
#include "collector/job/job.h"
#include "collector/journal/journal.h"
#include "collector/kernel/programs.h"
#include "collector/record/keeper.h"
#include "collector/record/spool.h"
#include "collector/store.h"
#include "collector/tally.h"
#include "common/conf.h"
#include "common/spool/waiting.h"

/* Names of journal files that could not be read. Each file may have contained the begin of a step. */
struct lost_opens {
	char names[64][JOURNAL_NAME_MAX]; /* empty: none */
	unsigned int next;
};

/* How many jobs this stintd has handled since it started. */
struct job_counts {
	uint64_t overdue; /* open jobs that have left the node and still have no epilog after half of epilog_wait_s */
	uint64_t closed;
	uint64_t closed_without_epilog;
	uint64_t without_since_epilog; /* jobs that were closed without an epilog since the last epilog came */
};

struct status_counts {
	struct job_counts jobs;
	uint64_t open; /* jobs */
	uint64_t closing;
	uint64_t unexpected; /* events that a job's phase did not expect */
	uint64_t written; /* reports and parts of reports that are on disk */
	uint64_t failed;
	uint64_t waiting;
};

/* Limits how often stintd does work whose cost is not known in advance (collector/sample.c). */
struct pace {
	uint64_t after_ns; /* CLOCK_MONOTONIC time before which stintd must not do the work again */
	uint64_t cost_ns;  /* CPU time that the work takes once, as a mean over the last times */
};

/* How far the current sample of all jobs is. stintd takes a sample in pieces (collector/sample.c). */
struct sampling {
	struct job *job; /* the job whose memory, or whose steps' memory, is read next; NULL: all were read */
	uint32_t step;   /* index of the step of this job that is read next */
	/*
	 * Over all jobs: the number of open steps, the index of the first step to read, and the index of the current
	 * step.
	 */
	uint32_t open_steps, first_step, at_step;
	int walk;        /* descriptor of the walk over all threads */
	bool walked;     /* true if the walk reached its end */
	struct error err; /* why the walk did not reach its end */
};

struct collector {
	struct conf conf;
	struct loop *loop;
	struct server *server;
	const char *conf_path; /* NULL: the default file, if it exists */
	char libexec_dir[PATH_MAX];
	char writers_dir[PATH_MAX]; /* directory of the writers' cgroups; empty: none */
	int run_fd;   /* the run directory */
	struct spool spool;
	struct programs *programs;
	struct topology *topology; /* NULL with the reason in topology_error */
	struct error topology_error;
	struct cgroup_layout layout;
	struct jobs jobs;
	struct keeper keeper;
	struct deliveries deliveries;
	struct store store;
	struct lost_opens lost_opens;
	bool resuming; /* stintd is reading the journal of an earlier one */
	bool starting; /* stintd is restoring jobs, so it walks over all threads once for all jobs together */
	struct oom_waiting oom_waiting;
	struct pace readings; /* limits how often the memory of all open jobs' cgroups is read */
	struct pace walks;    /* limits how often stintd walks over all threads for samples */
	struct sampling sampling;
	bool scan_wanted;        /* the kernel programs have reported threads that are not counted */
	uint64_t scan_after_ns;  /* CLOCK_MONOTONIC time before which no scan for uncounted threads may run */
	uint64_t scan_sure_ns;   /* CLOCK_MONOTONIC time of the next scan that scan_make_sure() planned; 0: none is planned */
	bool before_wanted;      /* jobs wait for before_find_waiting() */
	/* CLOCK_MONOTONIC time until which the walks of before_find() have used up their share of the time. */
	uint64_t before_paid_ns;
	uint64_t query_after_ns; /* CLOCK_MONOTONIC time before which no walk for queries may run */
	uint32_t steps_turn; /* index, among all open steps, of the step at which the next reading of memory starts */
	struct tally *tally; /* counts for the status file; NULL: there are none */
	struct job_counts counts;
	uint64_t overdue_after_ns; /* CLOCK_BOOTTIME time before which stintd does not look for overdue epilogs */
	struct waiting waiting; /* what waits in the spool and the backlog, as last written to the status file */
	struct waiting_seen waiting_seen;
	struct waiting_look waiting_look; /* progress of the count of what waits; valid only during this count */
	uint64_t status_damaged; /* number of records that were set aside, as last written to the status file */
	int64_t status_written_s; /* CLOCK_REALTIME when the status file was written */
	bool status_old; /* the data about the store in the status file is out of date */
	struct status_counts status_counts; /* as last written to the status file */
	struct spool_counts status_spool_counts; /* as last written to the status file */
	struct asking *asking; /* NULL: each writer asks Slurm itself */
	struct queries *queries; /* NULL: running jobs cannot be queried */
	bool sample_due, status_due; /* the sample, or the status file, is due at the end of this round of the event loop */
	bool trim; /* stintd should give free memory back to the kernel */
	int retry_pid; /* pid of the child that delivers the records left in the spool; 0: none */
};

#endif
