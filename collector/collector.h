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

/* Names of journal files that could not be read. They may have had the begin of a step. */
struct lost_opens {
	char names[64][JOURNAL_NAME_MAX]; /* empty: none */
	unsigned int next;
};

/* Numbers of jobs since this stintd started. */
struct job_counts {
	uint64_t overdue; /* open jobs that have left the node and whose epilog is late */
	uint64_t closed;
	uint64_t closed_without_epilog;
	uint64_t without_since_epilog; /* how many jobs were closed without an epilog after the last epilog had come */
};

struct status_counts {
	struct job_counts jobs;
	uint64_t open; /* jobs */
	uint64_t closing;
	uint64_t unexpected; /* events that the current phase of a job did not expect */
	uint64_t written; /* reports, and parts of reports */
	uint64_t failed;
	uint64_t waiting;
};

/* Limits how often to do work whose cost is not known beforehand (collector/sample.c). */
struct pace {
	uint64_t after_ns; /* CLOCK_MONOTONIC before which the work must not be done again */
	uint64_t cost_ns;  /* CPU time of the work once: the mean of the last times */
};

/* Progress of a sample of all jobs. The sample is done in pieces (collector/sample.c). */
struct sampling {
	struct job *job; /* read the memory of this job, or of its steps, next; NULL: all was read */
	uint32_t step;   /* the next step of this job */
	/* over all jobs: the number of open steps, the first step to read, and the current one */
	uint32_t open_steps, first_step, at_step;
	int walk;        /* a walk over all threads */
	bool walked;     /* the walk reached its end */
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
	bool starting; /* stintd is restoring jobs: walk over all threads once for all jobs, not for each */
	struct oom_waiting oom_waiting;
	struct pace readings; /* limits reads of the memory of all open jobs' cgroups */
	struct pace walks;    /* limits walks over all threads for samples */
	struct sampling sampling;
	bool scan_wanted;        /* the kernel programs have reported threads that are not counted */
	uint64_t scan_after_ns;  /* CLOCK_MONOTONIC before which no scan may run */
	uint64_t scan_sure_ns;   /* CLOCK_MONOTONIC of the next scan of scan_make_sure(); 0: none is planned */
	bool before_wanted;      /* jobs wait for before_find_waiting() */
	uint64_t before_paid_ns; /* CLOCK_MONOTONIC until which the walks of before_find() have used up their share of time */
	uint64_t query_after_ns; /* CLOCK_MONOTONIC before which no walk for queries may run */
	uint32_t steps_turn; /* of all open steps, the one at which the next reading of memory starts */
	struct tally *tally; /* NULL: there are no counts for the status file */
	struct job_counts counts;
	uint64_t overdue_after_ns; /* CLOCK_BOOTTIME before which overdue epilogs are not checked */
	struct waiting waiting; /* as last written to the status file */
	struct waiting_seen waiting_seen;
	struct waiting_look waiting_look; /* valid while the status file's data is counted */
	uint64_t status_damaged; /* records that are set aside, as last written to the status file */
	int64_t status_written_s; /* CLOCK_REALTIME when the status file was written */
	bool status_old; /* the status file's data about the store is out of date */
	struct status_counts status_counts; /* as last written to the status file */
	struct spool_counts status_spool_counts; /* as last written to the status file */
	struct asking *asking; /* NULL: each writer asks Slurm itself */
	struct queries *queries; /* NULL: running jobs cannot be queried */
	bool sample_due, status_due; /* do this work at the end of this round of the event loop */
	bool trim; /* give free memory back to the kernel */
	int retry_pid; /* pid of the child that delivers records left in the spool; 0: none */
};

#endif
