/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a node's record into the report in the job's directory. Everything except writer_seal() runs as the job's user.
 */
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
	bool option_unknown; /* no step of the job ran on this node, and no epilog came, so the job may have used --stint=off */
	bool nodes_unknown; /* neither the record nor Slurm names all nodes. @nodes has only this node, and perhaps the leading
			     * node */
	size_t given_back; /* how many nodes the job gave back while it ran. No list names them, but their parts may be in the
			    * directory */
	bool is_new; /* this is the first try to deliver the record, so no report can contain it */
	struct slurm_answer *answer; /* stint-slurm-job's answer, or NULL */
	struct record_slurm_job *slurm; /* the job in @answer; NULL if there is none */
	const char *slurm_reason; /* why slurm is NULL */
	bool slurm_later; /* slurm is NULL because Slurm was not asked yet. WRITER_ASKS says when the answer is needed */
	const char *group; /* name of the job's group, or NULL */
	const char *cgroups; /* directory of the writers' cgroups; NULL if there are none */
	struct report_texts nodes; /* the names of all nodes; the first one leads. The texts are in the memory of @record */
	int64_t patience_end_ms; /* until when writer_deliver() waits for the other nodes (CLOCK_MONOTONIC) */
	mode_t mode; /* of the files to write, by writer_mode() */
	const struct notary *notary; /* checks the credentials of parts; NULL if they cannot be checked */
	const char *notary_reason; /* why notary is NULL */
	char *part; /* this node's part, which writer_seal() made, if the job has several nodes */
	size_t part_length;
	char (*proofs)
		[PROOF_MAX]; /* for each node whose part is in the report, the credential of the part. May be NULL */
};

enum writer_result {
	WRITER_FAILED = -1,
	WRITER_DONE = 0,
	WRITER_ASKS = 2, /* the part was written, but this node is the last one, so it must make the report, and needs Slurm's
			  * answer for it */
	WRITER_WAITING = 1, /* a report without all nodes was written; writer_finish() may complete it */
};

/* Says if a retry can succeed. */
enum writer_hope {
	WRITER_AGAIN,
	WRITER_NEVER, /* no retry can succeed */
	WRITER_GONE, /* the job's directory was removed. This is known because it is missing from a directory in which the user
		      * can make and remove names */
};

/* Returns true if this node is the leading node. @job->nodes must be known. */
bool writer_leads(const struct writer_job *job);

/* Where the report goes. */
struct writer_place {
	int dirfd;
	char name[NAME_MAX + 1]; /* of the report, in that directory */
	enum writer_hope hope;   /* after a failure */
	char path[PATH_MAX]; /* the path of the file that was written, for messages */
	bool latest; /* the report that was written last is for the latest attempt of the job in this directory */
	struct node_records *records; /* the records of the report; NULL if none were read yet. For node_records_free() */
};

/*
 * Returns the mode of @job's report. If the site's report_mode is set, this is the mode. Otherwise the report gets the
 * mode that Slurm gives the job's own output, which is 0666 without the bits of the job's umask. The user may always
 * read and write the report. If the umask is not known, only the user may read the report.
 */
mode_t writer_mode(const struct writer_job *job);

#define WRITER_WHOSE_MAX 512

/*
 * Writes the job and user of the report to @text, for a line of a log, such as "job 12 of user alice, directory
 * /home/alice". Leaves out what neither the record nor Slurm says. The text has no newline, is not escaped yet, and is
 * cut if it is too long. Returns @text.
 */
const char *writer_whose(const struct writer_job *job, char text[WRITER_WHOSE_MAX]);

/*
 * Returns true if no report is wanted. This is so if the pattern for the report's path is /dev/null. The job's option
 * gives this pattern. If the job has none, the site's pattern is used.
 */
bool writer_wants_none(const struct writer_job *job);

/*
 * Returns true if the record has enough to find the directory of its part, without Slurm's answer. The name of the
 * report in that directory may still depend on Slurm's answer.
 */
bool writer_knows_directory(const struct writer_job *job);

/*
 * Makes @job's part, after trimming the record. Call this as root, because a credential that another user made proves
 * nothing. Returns 0; -1 with @err set.
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
 * Writes the report if this node is the leading node or the only node. On any other node, writes the part for the
 * report. Sets the path of @place to the file that was written. Does not overwrite a report of another attempt of the
 * job (reports/files/attempt.h).
 */
enum writer_result writer_deliver(struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Waits for the missing nodes for at most the merge_wait_s of the configuration, and writes the report again. If a node
 * is still missing, leaves this leading node's record as a part beside the report, so that the late node can complete
 * the report.
 *
 * Returns 0; -1 with @err set.
 */
int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * If the job moved its report by --stint=output=, leaves a link to the report in the job's directory. stint list and
 * stint report find the report by this link (PATTERN_LINK), because Slurm does not keep the option. Call this after the
 * report is written. Ignores a failure to make the link.
 */
void writer_leave_link(const struct writer_job *job, const struct writer_place *place);

/*
 * Makes the report from @job's record and the parts in the directory of @place, without writing a file. Returns the
 * report, for report_free(); NULL with @err set. Only the directory and the name in @place must be set.
 */
struct report *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err);

#endif
