/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages kept on disk below the run directory: in jobs/ those that were
 * taken in, so that a new stintd knows the open jobs; in notes/ those that the
 * plugin could not hand over. Both are root's alone and go with a reboot.
 */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include <stdbool.h>

#include "collector/cgroup.h"
#include "collector/job.h"
#include "spank/control.h"

struct kept_message {
	struct control_message message;
	struct cgroup_job cgroup;   /* as it was found; job_id 0: it was not */
	uint64_t registered_ns;     /* CLOCK_BOOTTIME since when the job's cgroup is counted */
	uint64_t before_cpu_ns;
	struct error no_cgroup;     /* why, when it was not found */
	char late_why[256];         /* of the job, as struct job has them */
	bool unseen;
};

/*
 * Makes jobs/ and notes/ below @run_fd. What an earlier boot of this machine left there, where that does not go with
 * a reboot by itself, is removed. Returns 0; -1 with @err set.
 */
int keep_prepare(int run_fd, struct error *err);

/* Keeps @kept. Returns 0; -1 with @err set. */
int keep_write(int run_fd, const struct kept_message *kept, struct error *err);

/*
 * Forgets all that is kept of the job @job_id on @node and was sent until @until_ns (CLOCK_BOOTTIME): what came later is of
 * its next attempt.
 */
void keep_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns);

/*
 * Calls @take for each kept message, in the order of their sending. One that is
 * damaged is removed and told to @bad.
 */
void keep_read(int run_fd, void (*take)(const struct kept_message *kept, void *data),
	       void (*bad)(const char *name, void *data), void *data);

/* The same for the plugin's notes, which are removed as they are read. */
void keep_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
		     void (*bad)(const char *name, void *data), void *data);

/* Keeps the list of the jobs that were closed last. Returns 0; -1 with @err set. */
int keep_write_closed(int run_fd, const struct jobs *jobs, struct error *err);

/* Reads it, if it is there and whole. */
void keep_read_closed(int run_fd, struct jobs *jobs);

/* Removes the note of @message, which has been taken in by another way, if there is one. */
void keep_remove_note(int run_fd, const struct control_message *message);

/* Whether @message, of @size bytes, is whole and of this version, tells of a job and a user, and its texts end. */
bool control_message_valid(const struct control_message *message, size_t size);

#endif
