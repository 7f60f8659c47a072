/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asking stintd for what a running job has used so far: all that "stint report" and the collector share beside the node
 * record.
 *
 * Who asks connects to the socket RUN_DIR.show (SOCK_STREAM), beside the run directory, which is root's alone. He sends
 * one struct show_request, and reads to the end: a '+' and the job's node record as it is now (docs/record.md), or a
 * '-' and one line that says why there is none. A job is shown to its own user (SO_PEERCRED) and to root; to others it
 * is as if there were none. An answer that is cut short is no JSON.
 */
#ifndef STINT_SHOW_H
#define STINT_SHOW_H

#include <stdint.h>

#define SHOW_SUFFIX ".show"
#define SHOW_MAGIC 0x574f4853u /* "SHOW" */
#define SHOW_VERSION 1
#define SHOW_BUSY "stintd has many to answer; try again" /* the same a little later may go well */

struct show_request {
	uint32_t magic;
	uint32_t version;
	uint32_t job_id; /* the job's own: an array's task has one, too */
	uint32_t reserved; /* 0 */
};

#endif
