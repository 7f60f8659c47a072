/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of "follow" share, and no other file uses: follow.c (messages, events, ends), follow_count.c (begins
 * to count a step), follow_before.c (what was used before that) and follow_resume.c (from one stintd to the next).
 */
#ifndef STINT_FOLLOW_INTERNAL_H
#define STINT_FOLLOW_INTERNAL_H

#include "collector/follow.h"
#include "collector/journal/journal.h"

/* Finds the job of @message, or adds it; NULL when there is no memory or no room for one more. */
struct job *follow_find_or_add(struct collector *c, const struct control_message *message);

/*
 * Adds the step of @message, a CONTROL_OPEN, to its job. @cgroup: where it is, with ids 0 when it has none. Returns it;
 * NULL when there are too many.
 */
struct job_step *follow_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				  const struct cgroup_job *cgroup);

/* Copies to @kept what the next stintd has to know of @job itself. */
void follow_fill_kept(struct journal_message *kept, const struct job *job);

/* Logs that a file of the journal was damaged, and remembers of which job it was; for journal_read(). */
void follow_bad_message(const char *name, const char *why, void *data);

/* Makes the hierarchy of @cgroup decide membership, unless one was chosen before. Returns 0; -1 with @err set. */
int follow_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err);

/*
 * Makes the map entries in which the kernel programs add up a job and one of its steps. *@existed: the job had one.
 * A job without an entry cannot be counted. Where there is no room for another entry, the record names what is missing.
 */
int follow_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		       bool *existed, struct error *err);

/* What is known just before a cgroup of a job is counted. All in ns of CPU time. */
struct before {
	int64_t used_ns; /* by the cgroup; -1: not known */
	uint64_t counted_ns; /* counted for the job so far, in its former cgroups */
	uint64_t found_ns; /* found_cpu_ns of its totals */
};

/*
 * Find the CPU time that the new cgroup @path had used before its threads are counted, which nothing else has.
 * follow_before_begin() is to be called before the kernel programs know of the cgroup; @key: the job's, which need
 * not have totals yet. follow_before_scanned() is to be called after the scan for threads that were in it. It adds
 * that CPU time to @job's, as well as it is known without another walk over all threads, and sets @job->counting.before. Where
 * the threads ran meanwhile, the result is too small.
 */
void follow_before_begin(struct collector *c, uint64_t key, const char *path, struct before *before);
void follow_before_scanned(struct collector *c, struct job *job, const char *path, const struct before *before);

/* The CPU time that a job's cgroup has used and that was not counted. */
struct uncounted {
	struct job *job;
	int64_t ns; /* -1: not known, for live threads cannot be looked at */
	int64_t used_ns; /* by the cgroup, before the last walk */
	bool done; /* no further walk finds more */
};

/*
 * Finds it for all of @jobs, @count of them, by some walks over all threads: as many for all jobs as for one. Sorts @jobs.
 */
void follow_uncounted(struct collector *c, struct uncounted *jobs, size_t count);

/*
 * Takes @ns, which follow_uncounted() has found, for what @job->counting.before says is not known exactly. Where it is not known and
 * nothing else is known of it, sets job->counting.cpu_unknown.
 */
void follow_before_take(struct job *job, int64_t ns);

/*
 * Finds that for one job. No step has to wait for this. Each job can make some walks necessary, and a user can have very many
 * threads. So these walks take no more than a tenth of the time, but for a few in a row. Where they would, returns false:
 * follow_find_waiting() does it for all such jobs at once; else true. What nothing is known of is always found.
 */
bool follow_before_find(struct collector *c, struct job *job);

/*
 * Whether a walk would come too early for that;
 * and notes that some have taken CPU time since @began (CLOCK_THREAD_CPUTIME_ID).
 */
bool follow_before_is_early(const struct collector *c);
void follow_before_pay(struct collector *c, uint64_t began);

/* Finds it for all jobs that wait for that, when it is time. Returns whether some wait on. */
bool follow_find_waiting(struct collector *c);

/*
 * Begins to count the step of @message, which is in @cgroup. Returns 0; -1 with @err set. Where @job->counting.before is not
 * BEFORE_FOUND then, follow_before_find() is to be called after the message was answered.
 */
int follow_count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
		      const struct control_message *message, struct error *err);

/* Looks for threads of all jobs that are not counted, by one walk over all threads. */
void follow_scan(struct collector *c);

/* Has all threads be looked at within a second or so, for such as are not counted; there should be none. */
void follow_make_sure(struct collector *c);

#endif
