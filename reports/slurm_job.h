/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asking Slurm, by way of the helper program stint-slurm-job: it links
 * libslurm, and must match Slurm's version; nothing else in here need.
 */
#ifndef STINT_SLURM_JOB_H
#define STINT_SLURM_JOB_H

#include <json-c/json.h>

#include "collector/common/error.h"

#define SLURM_JOB_WAIT_MS 1200 /* the longest that Slurm is waited for */
#define SLURM_JOB_COMMENT_WAIT_MS 3000 /* the same for slurmdbd: nobody waits for us then */

/*
 * Asks for the job @id ("12", "10_2").
 *
 * The helper is STINT_LIBEXEC/stint-slurm-job where the environment names that
 * (and this program has no more rights than who started it), else the
 * installed one.
 *
 * Returns the helper's JSON object, to be put; NULL with @err set: no such job,
 * no answer in time, no helper.
 */
struct json_object *slurm_job(const char *id, struct error *err);

/*
 * Expands a node list ("n[1-2]") into an array of names. Returns it, to be put;
 * NULL with @err set.
 */
struct json_object *slurm_job_expand(const char *node_list, struct error *err);

/*
 * Has slurmdbd keep @text as the AdminComment of @job ("12", "10_2") of @cluster.
 *
 * Returns 0; -1 with @err set.
 */
int slurm_job_comment(const char *cluster, const char *job, const char *text, struct error *err);

#endif
