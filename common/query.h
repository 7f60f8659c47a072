/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines the query, which asks stintd what a running job has used so far. "stint report" and the collector share
 * only this and the node record.
 *
 * The client connects to the socket RUN_DIR.show (SOCK_STREAM). The socket is next to the run directory and not in
 * it, because only root can enter that directory. The client sends one struct query_request, and then reads until the
 * connection ends. The answer is a '+' and the job's current node record (docs/record.md), or a '-' and one line that
 * says why there is no record.
 *
 * stintd shows a job only to the job's user (SO_PEERCRED) and to root. Other users get the same answer as for a job
 * that does not exist. A client recognizes an answer that was cut short, because it is not valid JSON.
 */
#ifndef STINT_QUERY_H
#define STINT_QUERY_H

#include <stdint.h>

#define QUERY_SUFFIX ".show"
#define QUERY_MAGIC 0x574f4853u /* "SHOW" */
#define QUERY_VERSION 1
#define QUERY_BUSY "stintd is busy with other queries; try again" /* the client may try again a little later */

struct query_request {
	uint32_t magic;
	uint32_t version;
	uint32_t job_id; /* the job's own id; for a task of an array, the id of that task and not of the array */
	uint32_t reserved; /* must be 0 */
};

#endif
