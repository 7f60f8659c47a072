/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "follow" share, and nobody else sees: follow.c (messages, events, ends), follow_count.c (a step begins to be
 * counted) and follow_resume.c (from one stintd to the next).
 */
#ifndef STINT_FOLLOW_OWN_H
#define STINT_FOLLOW_OWN_H

#include "collector/follow.h"
#include "collector/keep.h"

/* The job that @message tells of, made if it is not known; NULL when there is no memory or no room for one more. */
struct job *follow_find_or_add(struct collector *c, const struct control_message *message);

/* Notes the step that @message, an OPEN, tells of; @cgroup: 0 when it has none. */
void follow_note_step(struct job *job, const struct control_message *message, uint64_t cgroup);

/* Puts what the next stintd is to know of @job itself into @kept. */
void follow_fill_kept(struct kept_message *kept, const struct job *job);

/* Logs that a kept message was damaged; for keep_read(). */
void follow_bad_message(const char *name, void *data);

/* Has the hierarchy of @cgroup tell membership, unless one does. Returns 0; -1 with @err set. */
int follow_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err);

/*
 * Makes the places where the kernel programs add up a job and one of its steps. *@existed: the job's was there.
 * Without its own the job cannot be counted. What else finds no place is missing in the record, which says so.
 */
int follow_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		       bool *existed, struct error *err);

/*
 * Looks for what is in the cgroup already; what comes later tells of itself. CPU
 * time that the cgroup @path, new to us, had used before, by processes that are
 * gone, is added to the job's: nothing else would tell of it.
 */
int follow_scan_new(struct collector *c, struct job *job, const char *path, struct error *err);

/* Counts the step in @cgroup that @message tells of. Returns 0; -1 with @err set. */
int follow_count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
		      const struct control_message *message, struct error *err);

#endif
