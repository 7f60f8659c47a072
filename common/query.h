/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the query, which asks stintd what a running job has used so far.
 *
 * The client sends a struct query_request to the socket RUN_DIR.show (SOCK_STREAM), and reads to the end.
 * The socket is next to the run directory, and not in it, because only root can enter the run directory.
 * The answer is '+' and the job's node record (docs/record.md), or '-' and one line with the reason.
 *
 * Only root and the job's user (SO_PEERCRED) see a job.
 */
#ifndef STINT_QUERY_H
#define STINT_QUERY_H

#include <stdint.h>

#define QUERY_SUFFIX ".show"
#define QUERY_MAGIC 0x574f4853u
#define QUERY_VERSION 1
#define QUERY_BUSY "stintd is busy with other queries; try again" /* the client may try again later */

struct query_request {
	uint32_t magic;
	uint32_t version;
	uint32_t job_id; /* of the task, not of the array */
	uint32_t reserved; /* must be 0 */
};

#endif
