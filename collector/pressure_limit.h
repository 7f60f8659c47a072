/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops following jobs as a whole if they wait too often. Each wait and each wake-up of a job's thread changes counts
 * that all CPUs of the job share (bpf/pressure.h). If many CPUs do so at once, they wait for each other. So stintd
 * stops following a job if it runs on more than follow_cpus CPUs and waits more than follow_waits_per_s times a second.
 * From then on, its threads do not change these counts, and its report names what is missing.
 */
#ifndef STINT_PRESSURE_LIMIT_H
#define STINT_PRESSURE_LIMIT_H

#include <stdint.h>

struct collector;

/* Checks the job with this @key after an EVENT_RUSH came for it. */
void pressure_limit_rush(struct collector *c, uint64_t key);

/* Checks all followed jobs, and stops following those above the limits of stint.conf. */
void pressure_limit_jobs(struct collector *c);

#endif
