/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops following jobs as a whole if they wait too often. Each wait and each wake-up of a job's thread changes counts
 * that all CPUs of the job share (bpf/pressure.h). If many CPUs change these counts at once, the CPUs delay each other.
 * So stintd stops following a job if the job runs on more than follow_cpus CPUs and waits more than follow_waits_per_s
 * times a second. From then on, the job's threads do not change these counts, and the job's report names what is
 * missing.
 */
#ifndef STINT_PRESSURE_LIMIT_H
#define STINT_PRESSURE_LIMIT_H

#include <stdint.h>

struct collector;

/* Checks the job with this @key. Call it when an EVENT_RUSH comes for the job. */
void pressure_limit_rush(struct collector *c, uint64_t key);

/* Checks all followed jobs, and stops following those that exceed the limits of stint.conf. */
void pressure_limit_jobs(struct collector *c);

#endif
