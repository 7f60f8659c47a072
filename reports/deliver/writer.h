/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings a node's record to the report in the job's directory. Everything except writer_seal() runs as the job's user. */
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
	bool option_unknown; /* no step of the job ran on this node, and no epilog came: the job may have used --stint=off */
	bool nodes_unknown; /* @nodes has this one and perhaps the leading one: neither record nor Slurm names all */
	size_t given_back; /* how many nodes the job gave back while it ran: no list names them, and their parts may be here */
	bool is_new; /* this is the first try to deliver the record, so no report can contain it */
	struct slurm_answer *answer; /* stint-slurm-job's answer, or NULL */
	struct record_slurm_job *slurm; /* the job in it, or NULL */
	const char *slurm_reason; /* why it is NULL */
	bool slurm_later; /* slurm is NULL because it was not asked for yet; WRITER_ASKS says when it is needed */
	const char *group; /* name of the job's group, or NULL */
	const char *cgroups; /* directory of the writers' cgroups; NULL: there are none */
	struct report_texts nodes; /* the names of all; the first leads. In the memory of @record */
	int64_t patience_end_ms; /* CLOCK_MONOTONIC: until then writer_deliver() waits for the other nodes */
	mode_t mode; /* of the files to write, by writer_mode() */
	const struct notary *notary; /* checks the credentials of parts; NULL: they cannot be checked */
	const char *notary_reason; /* why it is NULL */
	char *part; /* this node's part, by writer_seal(), if the job has several nodes */
	size_t part_length;
	char (*proofs)
		[PROOF_MAX]; /* for each node, the credential of its part if that is in the report; or NULL */
};

enum writer_result {
	WRITER_FAILED = -1,
	WRITER_DONE = 0,
	WRITER_ASKS = 2, /* the part was written; this node is the last, and must make the report */
	WRITER_WAITING = 1, /* a report without all nodes was written; writer_finish() may complete it */
};

/* Whether a retry can succeed. */
enum writer_hope {
	WRITER_AGAIN,
	WRITER_NEVER, /* no retry can succeed */
	WRITER_GONE, /* the job's directory was removed: it is missing where the user can make and remove names */
};

/* Whether this node is the leading one; @job->nodes must be known. */
bool writer_leads(const struct writer_job *job);

/* Where the report goes. */
struct writer_place {
	int dirfd;
	char name[NAME_MAX + 1]; /* of the report, in that directory */
	enum writer_hope hope;   /* after a failure */
	char path[PATH_MAX]; /* of the file that was written, for people */
	bool latest; /* the report that was written last is of the job's latest attempt there */
	struct node_records *records; /* of the report; NULL: none were read yet. By node_records_free() */
};

/*
 * Returns the mode of @job's report: the site's (report_mode), or the mode that Slurm gives the job's own output, 0666
 * less the job's umask. If the umask is not known, only the user may read the report.
 */
mode_t writer_mode(const struct writer_job *job);

#define WRITER_WHOSE_MAX 512

/*
 * Writes the job and user of the report to @text, for a line of a log: "job 12 of user alice, directory /home/alice".
 * Leaves out what the record and Slurm do not say. The text is cut if it is too long, has no newline, and is not
 * escaped yet. Returns @text.
 */
const char *writer_whose(const struct writer_job *job, char text[WRITER_WHOSE_MAX]);

/* Whether the job, or else the site, wants no report: the pattern is /dev/null. */
bool writer_wants_none(const struct writer_job *job);

/*
 * Returns true if the record alone determines the directory of its part. The name of the report there may still depend
 * on Slurm's answer.
 */
bool writer_knows_directory(const struct writer_job *job);

/*
 * Makes @job's part, and trims the record for it. Call this as root: another user's credential proves nothing. Returns
 * 0; -1 with @err set.
 */
int writer_seal(struct writer_job *job, struct error *err);

/* Fills @wanted with the job, user and cluster that a part of @job must belong to. */
void writer_wants(const struct writer_job *job, struct proof_wanted *wanted);

/*
 * Opens the directory that @job's report goes to. Makes missing directories that the pattern itself names.
 *
 * Returns 0; -1 with @err set.
 */
int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Writes the report (on the leading node, or the only one), or the part for it (on any other node). The place's path
 * then names the file that was written. An existing report of another attempt of the job is kept
 * (reports/files/attempt.h).
 */
enum writer_result writer_deliver(struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Waits for the missing nodes, at most the configuration's merge_wait_s, and writes the report again. If a node is
 * still missing, this leading node's record is left as a part beside the report, so that the late node can complete it.
 *
 * Returns 0; -1 with @err set.
 */
int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * If the job itself moved its report by --stint=output=, leaves a link to it in the job's directory. stint list and
 * stint report find the report by that link (PATTERN_LINK), because Slurm does not keep the option. Call it after the
 * report is written. If no link can be made, does nothing.
 */
void writer_leave_link(const struct writer_job *job, const struct writer_place *place);

/*
 * Returns the report made from @job's record and the parts in the @place's directory, for report_free(), and writes no
 * file. NULL with @err set. Only the place's directory and name must be set.
 */
struct report *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err);

#endif
