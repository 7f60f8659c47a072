/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers queries of running jobs (common/query.h). A child process gives each answer, so no user can block stintd. */
#ifndef STINT_ANSWER_QUERY_H
#define STINT_ANSWER_QUERY_H

#include <stdbool.h>

#include "collector/collector.h"

struct queries;

/* Listens on a socket next to @run_dir. Returns NULL with @err set on failure. */
struct queries *query_open(const char *run_dir, struct error *err);

/* Returns a descriptor that is readable when a query arrives. */
int query_fd(const struct queries *queries);

void query_run(struct queries *queries, struct collector *c);

/* Call once a second. Accepts queries again after query_run() found no free descriptor. */
void query_tick(struct queries *queries);

/* Handles the end of the child @pid. Returns true if this child was answering a query. */
bool query_child_ended(struct queries *queries, int pid);

void query_close(struct queries *queries);

#endif
