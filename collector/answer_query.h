/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers queries of running jobs (see common/query.h). A child process gives each answer, so no user can block stintd.
 * stintd gives only a few answers at a time, and only one to each user.
 */
#ifndef STINT_ANSWER_QUERY_H
#define STINT_ANSWER_QUERY_H

#include <stdbool.h>

#include "collector/collector.h"

struct queries;

/* Opens a socket next to the run directory and listens on it. Returns NULL with @err set on failure. */
struct queries *query_open(const char *run_dir, struct error *err);

/* Returns a descriptor that becomes readable when a query arrives. */
int query_fd(const struct queries *queries);

/* Accepts the queries that have arrived. Starts to answer each query, or refuses it. */
void query_run(struct queries *queries, struct collector *c);

/* Call once a second. Accepts queries again if stintd had stopped accepting them because no descriptor was free. */
void query_tick(struct queries *queries);

/* Handles the end of the child @pid. Returns true if this child was answering a query. */
bool query_child_ended(struct queries *queries, int pid);

void query_close(struct queries *queries);

#endif
