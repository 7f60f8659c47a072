/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings a node's record to the report in the job's directory. All of it happens as the job's user, but for
 * writer_seal().
 */
#ifndef STINT_WRITER_H
#define STINT_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/deliver/node_records.h"
#include "reports/files/part_set.h"
#include "reports/model/report.h"
#include "reports/records/record_input.h"

struct writer_job {
	const struct conf *conf;
	struct json_object *record; /* this node's */
	struct record_identity identity;
	bool option_unknown; /* no step of the job ran on this node, and no epilog: it may have said --stint=off */
	bool nodes_unknown; /* @nodes has this one and perhaps the leading one: neither record nor Slurm say all */
	size_t given_back; /* how many nodes the job gave back while it ran: no list has them, and their parts may be here */
	bool is_new; /* nobody has tried to deliver the record before, so no report can have it */
	struct json_object *slurm; /* what stint-slurm-job said, or NULL */
	const char *slurm_reason; /* why it is NULL */
	bool slurm_later; /* slurm is NULL because nobody asked yet; WRITER_ASKS says when it is needed */
	const char *group; /* name of the job's group, or NULL */
	const char *cgroups; /* directory of the writers' cgroups; NULL: there are none */
	struct json_object *nodes; /* array of all nodes' names; the first leads */
	int64_t patience_end_ms; /* CLOCK_MONOTONIC: until then writer_deliver() waits for the other nodes */
	mode_t mode; /* of the files that are written, by writer_mode() */
	const struct notary *notary; /* checks the credentials of parts; NULL: nobody can */
	const char *notary_reason; /* why it is NULL */
	char *part; /* this node's part, by writer_seal(), when the job has several nodes */
	size_t part_length;
	char (*proofs)
		[PROOF_MAX]; /* for each node, the credential of its part when that is in the report; or NULL */
};

enum writer_result {
	WRITER_FAILED = -1,
	WRITER_DONE = 0,
	WRITER_ASKS = 2, /* the part was written; this node is the last, and shall make the report */
	WRITER_WAITING = 1, /* a report without all nodes was written; writer_finish() may complete it */
};

/* What a later try may achieve. */
enum writer_hope {
	WRITER_AGAIN,
	WRITER_NEVER, /* no later try can succeed */
	WRITER_GONE, /* the job's directory was removed: it is missing where the user can make and remove names */
};

/* Whether this node, whose @job->nodes are known, is the leading one. */
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
 * Returns the mode of @job's report: the site's (report_mode), or what Slurm gives the job's own output, 0666 less the
 * job's umask. Where the umask is not known, only the user may read the report.
 */
mode_t writer_mode(const struct writer_job *job);

#define WRITER_WHOSE_MAX 512

/*
 * Writes whose report it is to @text, for a line of a log: "job 12 of user alice, directory /home/alice". What the
 * record and Slurm do not say is left out. It is cut where it is too long, has no newline, and is not escaped yet.
 * Returns @text.
 */
const char *writer_whose(const struct writer_job *job, char text[WRITER_WHOSE_MAX]);

/* Whether the job, or else the site, wants no report: its pattern is /dev/null. */
bool writer_wants_none(const struct writer_job *job);

/*
 * Returns true when the record alone says which directory its part goes to. The name of the report there may still
 * depend on what Slurm says.
 */
bool writer_knows_directory(const struct writer_job *job);

/*
 * Makes @job's part, and trims the record for it. Call this as root: no other user's credential proves anything.
 * Returns 0; -1 with @err set.
 */
int writer_seal(struct writer_job *job, struct error *err);

/*
 * Fills @wanted with what a part of @job must belong to.
 */
void writer_wants(const struct writer_job *job, struct proof_wanted *wanted);

/*
 * Opens the directory that @job's report goes to. Directories that the pattern itself names are made where they are
 * missing.
 *
 * Returns 0; -1 with @err set.
 */
int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Writes the report (on the leading node, or the only one), or the part for it (on any other node). The place's path
 * then names what was written. An existing report of another attempt of the job is kept (reports/files/attempt.h).
 */
enum writer_result writer_deliver(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Waits for the nodes that are missing, at most the configuration's merge_wait_s, and writes the report again. Where a
 * node is still missing, this leading node's record is left as a part beside the report, so that the late node can
 * complete it.
 *
 * Returns 0; -1 with @err set.
 */
int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * If the job itself moved its report by --stint=output=, leaves a link to it in the job's directory, by which stint
 * list and stint report find it (PATTERN_LINK): Slurm does not keep that option. Call it once the report is written. Where
 * there can be no link, there is none.
 */
void writer_leave_link(const struct writer_job *job, const struct writer_place *place);

/*
 * Returns the report that @job's record and the parts in the @place's directory make, for report_free(), and writes no file.
 * NULL with @err set. Only the place's directory and name need be set.
 */
struct report *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err);

#endif
