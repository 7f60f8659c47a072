/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts a node's record into the report. Only writer_seal() runs as root. */
#ifndef STINT_WRITER_H
#define STINT_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/deliver/node_records.h"
#include "reports/files/part_set.h"
#include "reports/model/report.h"
#include "reports/records/record.h"

struct writer_job {
	const struct conf *conf;
	struct record *record; /* this node's */
	struct record_identity identity;
	bool option_unknown; /* perhaps --stint=off: no epilog, no step */
	bool nodes_unknown; /* nodes is incomplete */
	size_t given_back; /* nodes that may still leave a part */
	bool is_new; /* first try to deliver the record */
	struct slurm_answer *answer; /* of stint-slurm-job; may be NULL */
	struct record_slurm_job *slurm; /* in the answer; NULL: none */
	const char *slurm_reason; /* why slurm is NULL */
	bool slurm_later; /* Slurm was not asked yet (WRITER_ASKS) */
	const char *group; /* the job's; may be NULL */
	const char *cgroups; /* directory of the writers' cgroups; NULL: none */
	struct report_texts nodes; /* the leading node first; memory of record */
	int64_t patience_end_ms; /* CLOCK_MONOTONIC: writer_deliver() waits for other nodes */
	mode_t mode; /* of files to write (writer_mode()) */
	const struct notary *notary; /* checks parts; NULL: not possible */
	const char *notary_reason; /* why notary is NULL */
	char *part; /* this node's; NULL: only one node */
	size_t part_length;
	char (*proofs)
		[PROOF_MAX]; /* credentials of parts; may be NULL */
};

enum writer_result {
	WRITER_FAILED = -1,
	WRITER_DONE = 0,
	WRITER_ASKS = 2, /* this node makes the report, with Slurm's answer */
	WRITER_WAITING = 1, /* the report lacks nodes (writer_finish()) */
};

/* Can a retry succeed? */
enum writer_hope {
	WRITER_AGAIN,
	WRITER_NEVER, /* no */
	WRITER_GONE, /* the job's directory was removed */
};

bool writer_leads(const struct writer_job *job);

struct writer_place {
	int dirfd;
	char name[NAME_MAX + 1]; /* of the report */
	enum writer_hope hope;   /* after a failure */
	char path[PATH_MAX]; /* file that was written */
	bool latest; /* the report is about the latest attempt */
	struct node_records *records; /* NULL: not read yet */
};

/*
 * Returns the mode of the report: report_mode of the site, or 0666 without the job's umask, like Slurm's output files.
 * The user always has access. If the umask is not known, no other user has access.
 */
mode_t writer_mode(const struct writer_job *job);

#define WRITER_WHOSE_MAX 512

/*
 * Writes job and user for the log, like "job 12 of user alice, directory /home/alice". The text is not escaped, and may
 * be cut. Returns @text.
 */
const char *writer_whose(const struct writer_job *job, char text[WRITER_WHOSE_MAX]);

/* Returns true if the pattern of the job, or else of the site, is /dev/null. */
bool writer_wants_none(const struct writer_job *job);

/* Returns true if the record tells the directory of its part without Slurm's answer. */
bool writer_knows_directory(const struct writer_job *job);

/* Trims the record, and makes this node's part. Call as root, for root's credential. Returns 0; -1 with @err set. */
int writer_seal(struct writer_job *job, struct error *err);

/* Sets what a part of @job must belong to. */
void writer_wants(const struct writer_job *job, struct proof_wanted *wanted);

/* Opens the report's directory. Makes directories of the pattern that are missing. Returns 0; -1 with @err set. */
int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Writes the report on the leading node, or a part on other nodes. Does not overwrite another attempt's report
 * (reports/files/attempt.h). Sets the path of @place.
 */
enum writer_result writer_deliver(struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Waits for missing nodes up to merge_wait_s (stint.conf), and writes the report again. If a node is still missing,
 * leaves this node's part, so that the late node can write the report.
 *
 * Returns 0; -1 with @err set.
 */
int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * After --stint=output=, leaves a link to the report in the job's directory. stint list and stint report find the
 * report by this link (PATTERN_LINK). Ignores a failure.
 */
void writer_leave_link(const struct writer_job *job, const struct writer_place *place);

/*
 * Makes the report from the record and the parts in @place, without a file. Only directory and name of @place must be
 * set.
 * Returns the report, for report_free(); NULL with @err set.
 */
struct report *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err);

#endif
