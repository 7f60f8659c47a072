/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers queries of running jobs: see common/query.h. A child gives each answer, so that no user holds stintd up. Few
 * answers are given at a time, and one to each user.
 */
#ifndef STINT_ANSWER_QUERY_H
#define STINT_ANSWER_QUERY_H

#include <stdbool.h>

#include "collector/collector.h"

struct queries;

/*
 * Listens on a socket beside the run directory. Returns NULL with @err set when that fails.
 */
struct queries *query_open(const char *run_dir, struct error *err);

/* Becomes readable when a query comes. */
int query_fd(const struct queries *queries);

/* Starts to answer the queries that have come, or refuses them. */
void query_run(struct queries *queries, struct collector *c);

/* To be called once a second: queries are accepted again that there was no descriptor for. */
void query_tick(struct queries *queries);

/* Handles the end of the child @pid. Returns whether it was one that gave an answer. */
bool query_child_ended(struct queries *queries, int pid);

void query_close(struct queries *queries);

#endif
