/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The query: it asks stintd what a running job has used so far. "stint report" and the collector share only this and
 * the node record.
 *
 * The client connects to the socket RUN_DIR.show (SOCK_STREAM), which is next to the run directory, because only root
 * can enter that. It sends one struct query_request, and reads to the end: a '+' and the job's current node record
 * (docs/record.md), or a '-' and one line that says why there is none. stintd shows a job only to its own user
 * (SO_PEERCRED) and to root; to others it answers as if there were no such job. An answer that is cut short is not
 * valid JSON.
 */
#ifndef STINT_QUERY_H
#define STINT_QUERY_H

#include <stdint.h>

#define QUERY_SUFFIX ".show"
#define QUERY_MAGIC 0x574f4853u /* "SHOW" */
#define QUERY_VERSION 1
#define QUERY_BUSY "stintd is busy with other queries; try again" /* a client may ask again a little later */

struct query_request {
	uint32_t magic;
	uint32_t version;
	uint32_t job_id; /* the job's own: each task of an array has one, too */
	uint32_t reserved; /* 0 */
};

#endif
