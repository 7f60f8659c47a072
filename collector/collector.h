/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stintd is made of, as its parts see it. */
#ifndef STINT_COLLECTOR_H
#define STINT_COLLECTOR_H

#include "collector/cgroup.h"
#include "collector/common/conf.h"
#include "collector/job.h"
#include "collector/log.h"
#include "collector/programs.h"
#include "collector/spool.h"
#include "collector/topology.h"

struct collector {
	struct conf conf;
	const char *conf_path; /* NULL: the default, if there */
	char libexec_dir[PATH_MAX];
	int run_fd;   /* the run directory */
	struct spool spool;
	struct programs *programs;
	struct topology *topology; /* NULL with the reason below */
	struct error topology_error;
	struct cgroup_layout layout;
	struct jobs jobs;
	struct oom_waiting oom_waiting;
	uint64_t sample_after_ns; /* CLOCK_MONOTONIC; there is no look at the jobs before */
	uint64_t show_after_ns;   /* the same for those who ask what a running job has used */
	uint64_t sample_cost_ns;  /* CPU time that one takes, as a mean of the last ones */
	struct spool_state spool_told; /* what the status file says */
	struct spool_counts spool_counts_told;
	struct show *show; /* NULL: running jobs are shown to nobody */
	int retry_pid; /* of the child that delivers what was left in the spool; 0 */
};

#endif
