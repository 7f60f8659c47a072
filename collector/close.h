/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closing a job: its node record goes into the spool and its report to the user,
 * both by a child process, so that the collector never waits and stays small.
 */
#ifndef STINT_CLOSE_H
#define STINT_CLOSE_H

#include <json-c/json.h>

#include "collector/collector.h"

/*
 * Starts the child for @job, whose processes have ended; or forgets the job, when its record is in the spool already.
 * Returns 0; -1 with @err set.
 */
int close_start(struct collector *c, struct job *job, struct error *err);

/* A child has ended with the wait status @status. */
void close_child_ended(struct collector *c, int pid, int status);

/* Forgets @job, here, in the run directory and in the kernel's maps. */
void close_forget(struct collector *c, struct job *job);

/* Starts a child that delivers the records that are left in the spool, if any is due; else brings the status up to date. */
void close_retry(struct collector *c);

/*
 * To be called in a child first: it gets signals as any program does, and dies with stintd, for the next stintd takes
 * down the maps that it reads. @parent: who stintd is
 */
void close_child_begin(int parent);

/* Returns the record of @job, to be put; NULL with @err set. */
struct json_object *close_build(struct collector *c, struct job *job, struct error *err);

/* Answers who waits on @fd, if anybody does, and closes it. @text: the reason when @status is -1. */
void close_reply(int fd, uint16_t kind, int status, const char *text);

#endif
