/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows running jobs to their users: see collector/common/show.h. Each answer is a child's, so that no user holds the
 * collector up; there are few at a time, and one of a user.
 */
#ifndef STINT_COLLECTOR_SHOW_H
#define STINT_COLLECTOR_SHOW_H

#include <stdbool.h>

#include "collector/collector.h"

struct show;

/*
 * Listens beside the run directory. Returns NULL with @err set.
 */
struct show *show_open(const char *run_dir, struct error *err);

/* Becomes readable when somebody asks. */
int show_fd(const struct show *show);

/* Answers one who asks, or sends him away. */
void show_run(struct show *show, struct collector *c);

/* A child has ended. Returns whether it was one of these. */
bool show_child_ended(struct show *show, int pid);

void show_close(struct show *show);

#endif
