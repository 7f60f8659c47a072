/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of stintd, which all of its parts share. */
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

/* Names of journal files that could not be read: perhaps of steps' begins. */
struct lost_opens {
	char names[64][JOURNAL_NAME_MAX]; /* empty: none */
	unsigned int next;
};

/* How many jobs there were since this stintd started. */
struct job_counts {
	uint64_t overdue; /* open ones that have left the node, and whose epilog should have come */
	uint64_t closed;
	uint64_t closed_without_epilog;
	uint64_t without_since_epilog; /* of those, since the last epilog came */
};

struct status_counts {
	struct job_counts jobs;
	uint64_t open; /* jobs */
	uint64_t closing;
	uint64_t unexpected; /* events that no phase of a job expects */
	uint64_t written; /* reports, and parts of reports */
	uint64_t failed;
	uint64_t waiting;
};

/* How often to do work whose cost is not known beforehand (collector/sample.c). */
struct pace {
	uint64_t after_ns; /* CLOCK_MONOTONIC; not done before this */
	uint64_t cost_ns;  /* CPU time of one, the mean of the last ones */
};

/* Progress of a sample of all jobs, which is taken in pieces (collector/sample.c). */
struct sampling {
	struct job *job; /* its memory, or its steps' memory, is read next; NULL: all was read */
	uint32_t step;   /* the next of its steps */
	uint32_t open_steps, first_step, at_step; /* of the open steps of all jobs: how many, the first to be read, the next */
	int walk;        /* over all threads */
	bool walked;     /* it ran to its end */
	struct error err; /* why it did not */
};

struct collector {
	struct conf conf;
	struct loop *loop;
	struct server *server;
	const char *conf_path; /* NULL: the default, if there */
	char libexec_dir[PATH_MAX];
	char writers_dir[PATH_MAX]; /* of the writers' cgroups; empty: there are none */
	int run_fd;   /* the run directory */
	struct spool spool;
	struct programs *programs;
	struct topology *topology; /* NULL with the reason below */
	struct error topology_error;
	struct cgroup_layout layout;
	struct jobs jobs;
	struct keeper keeper;
	struct deliveries deliveries;
	struct store store;
	struct lost_opens lost_opens;
	bool resuming; /* the journal of an earlier stintd is being read */
	bool starting; /* jobs are taken up: walks over all threads are made once for all of them, not for each */
	struct oom_waiting oom_waiting;
	struct pace readings; /* of the memory of all open jobs' cgroups */
	struct pace walks;    /* over all threads, for samples */
	struct sampling sampling;
	bool scan_wanted;        /* the kernel programs know threads that are not counted */
	uint64_t scan_after_ns;  /* CLOCK_MONOTONIC; no scan for them before */
	uint64_t scan_sure_ns;   /* CLOCK_MONOTONIC of the next scan that only makes sure; 0: none is wanted */
	bool before_wanted;      /* for some jobs stintd must still find what they had used before they were counted */
	uint64_t before_paid_ns; /* CLOCK_MONOTONIC; until then the walks for that have used up their share of time */
	uint64_t query_after_ns; /* CLOCK_MONOTONIC; no walk for queries before */
	uint32_t steps_turn; /* the next look starts to read memory at this one of all open steps */
	struct tally *tally; /* NULL: nothing is counted for the status file */
	struct job_counts counts;
	uint64_t overdue_after_ns; /* CLOCK_BOOTTIME; no look for overdue epilogs before */
	struct spool_state status_spool; /* as the status file has it */
	struct waiting waiting; /* what the status file says of the store, and of the reserve */
	struct waiting_seen waiting_seen;
	int64_t status_written_s; /* CLOCK_REALTIME: when the status file was written */
	bool status_old; /* what it says about the store is out of date */
	struct status_counts status_counts; /* as the status file has them */
	struct spool_counts status_spool_counts; /* as the status file has them */
	struct asking *asking; /* NULL: each writer asks Slurm for itself */
	struct queries *queries; /* NULL: running jobs cannot be queried */
	bool sample_due, status_due; /* at the end of this round of the event loop */
	bool trim; /* give free memory back to the kernel */
	int retry_pid; /* of the child that delivers records left in the spool; 0: none */
};

#endif
