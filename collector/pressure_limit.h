/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops following a job as a whole if it waits too often. Each wait changes counts that all CPUs of the job share
 * (bpf/pressure.h). Many CPUs that do this delay each other.
 *
 * A job must exceed two limits: follow_cpus and follow_waits_per_s. The job's report names what is missing.
 */
#ifndef STINT_PRESSURE_LIMIT_H
#define STINT_PRESSURE_LIMIT_H

#include <stdint.h>

struct collector;

/* Checks the job with @key. Call for each EVENT_RUSH. */
void pressure_limit_rush(struct collector *c, uint64_t key);

void pressure_limit_jobs(struct collector *c);

#endif
