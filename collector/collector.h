/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of stintd. */
#ifndef STINT_COLLECTOR_H
#define STINT_COLLECTOR_H

#include "collector/asking.h"
#include "collector/deliver.h"
#include "collector/host/cgroup.h"
#include "collector/host/log.h"
#include "collector/host/topology.h"
#include "collector/job/job.h"
#include "collector/job/node_sums.h"
#include "collector/journal/journal.h"
#include "collector/kernel/programs.h"
#include "collector/record/keeper.h"
#include "collector/record/spool.h"
#include "collector/sampler/gpu_helper.h"
#include "collector/store.h"
#include "collector/tally.h"
#include "common/conf.h"
#include "common/spool/waiting.h"

/* Names of damaged journal files. Each file may have contained a step's begin. */
struct lost_opens {
	char names[64][JOURNAL_NAME_MAX]; /* empty: none */
	unsigned int next;
};

/* Counts since this stintd started. */
struct job_counts {
	uint64_t overdue; /* left the node half of epilog_wait_s ago, without epilog */
	uint64_t closed;
	uint64_t closed_without_epilog;
	uint64_t without_since_epilog; /* jobs closed without an epilog since the last epilog came */
};

struct status_counts {
	struct job_counts jobs;
	uint64_t open;
	uint64_t closing;
	uint64_t unexpected; /* events that job_phase_next() does not expect */
	uint64_t written; /* reports, and parts of reports, on disk */
	uint64_t failed;
	uint64_t waiting;
};

/* Limits how often stintd does costly work. */
struct pace {
	uint64_t after_ns; /* CLOCK_MONOTONIC time of the next work */
	uint64_t cost_ns;  /* mean CPU time of the work */
};

/* Progress of the sample that stintd is taking. */
struct sampling {
	struct job *job; /* its memory is read next; NULL: finished */
	uint32_t step;   /* index of the step to read next */
	/* Over the steps of all jobs: number of open steps, index of the first to read, index of the current one. */
	uint32_t open_steps, first_step, at_step;
	int walk;        /* descriptor of the walk over all threads */
	bool walked;
	struct error err;
};

struct collector {
	struct conf conf;
	struct loop *loop;
	struct server *server;
	const char *conf_path; /* NULL: the default file, if it exists */
	char libexec_dir[PATH_MAX];
	char writers_dir[PATH_MAX]; /* directory of the writers' cgroups; empty: none */
	int run_fd;
	struct spool spool;
	struct programs *programs;
	struct topology *topology; /* NULL: see topology_error */
	struct error topology_error;
	struct cgroup_layout layout;
	struct jobs jobs;
	struct keeper keeper;
	struct deliveries deliveries;
	struct store store;
	struct lost_opens lost_opens;
	bool resuming; /* stintd is reading the journal */
	bool starting; /* stintd is restoring jobs, with one walk for all */
	struct oom_waiting oom_waiting;
	struct pace readings; /* limits how often memory is read */
	struct pace walks;    /* limits walks over all threads */
	struct sampling sampling;
	bool scan_wanted;        /* the kernel programs found uncounted threads */
	uint64_t scan_after_ns;  /* CLOCK_MONOTONIC of the next scan for uncounted threads */
	uint64_t scan_sure_ns;   /* CLOCK_MONOTONIC of the scan for scan_make_sure(); 0: none */
	bool before_wanted;      /* jobs wait for before_find_waiting() */
	/* CLOCK_MONOTONIC. Until then, before_find() has used up its share of the time. */
	uint64_t before_paid_ns;
	uint64_t query_after_ns; /* CLOCK_MONOTONIC of the next walk for queries */
	uint32_t steps_turn; /* index of the next open step to read */
	struct tally *tally; /* NULL: nothing is counted */
	struct job_counts counts;
	uint64_t overdue_after_ns; /* CLOCK_BOOTTIME of the next search for overdue epilogs */
	struct waiting waiting; /* counts in the status file */
	struct waiting_seen waiting_seen;
	struct waiting_look waiting_look;
	uint64_t status_damaged;
	int64_t status_written_s; /* CLOCK_REALTIME */
	bool status_old; /* the store's data in the status file are old */
	struct status_counts status_counts;
	struct spool_counts status_spool_counts;
	struct asking *asking; /* NULL: each writer asks Slurm itself */
	struct queries *queries; /* NULL: running jobs cannot be queried */
	bool sample_due, status_due; /* due at the end of this round */
	bool trim; /* give free memory back to the kernel */
	struct gpu_helper gpus;
	struct node_sums sums;
	int metrics_fd; /* directory of stint.prom; -1: none */
	char dev_dir[PATH_MAX]; /* /dev */
	int retry_pid; /* child that delivers from the spool; 0: none */
};

#endif
