/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up what a job's GPUs did.
 *
 * Only for jobs to which Slurm gave GPUs or slices of GPUs (MIG). If it gave shares of GPUs (shards, MPS), the numbers of a
 * GPU belong to several jobs, and everything here is unknown.
 */
#ifndef STINT_GPU_FACTS_H
#define STINT_GPU_FACTS_H

#include <stdbool.h>

#include "reports/model/report.h"
#include "reports/rules/rules.h"

/* Numbers are NAN if they are not known for each of the GPUs that they are about. */
struct gpu_facts {
	double count;       /* GPUs that Slurm allocated */
	double used;        /* GPUs on which processes of the job were seen */
	double unused;      /* allocated GPUs on which none was seen */
	double busy;        /* mean busy share of all GPUs of the job; unused ones count as 0 */
	double busy_read;   /* as busy, but of the time that was read, which may be less than gpu_covered_share of the job's */
	double busy_used;   /* mean busy share of the GPUs that were used */
	double busiest;     /* the largest busy share */
	double idle;        /* used GPUs that were busy for less than gpu_idle_share */
	double busy_idle;   /* mean busy share of these; NAN if there are none */
	double idle_tail_s; /* the time before the job's end in which none of the used GPUs was busy */
	bool sampled;       /* a busy share is from samples */
};

/* @elapsed_s: the job's time; NAN if unknown */
void gpu_facts_read(struct gpu_facts *use, const struct report *report, const struct rules *rules, double elapsed_s);

/* Returns true if the job's GPUs are known to have done nothing, by the rule advice_active_share. */
bool gpu_facts_none(const struct gpu_facts *use, const struct rules *rules);

#define GPU_FACTS_TEXT 128

/* Writes what the GPUs did, or that this is not known: "its 4 GPUs were busy 3 % of the time". */
const char *gpu_facts_text(const struct gpu_facts *use, char text[GPU_FACTS_TEXT]);

/* Returns the highest memory that the job is known to have used on @gpu, in bytes; NAN if unknown. */
double gpu_facts_memory(const struct report_gpu *gpu);

#endif
