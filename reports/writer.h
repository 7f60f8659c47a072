/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bringing a node's record to the report in the job's directory. All of it
 * happens as the job's user.
 */
#ifndef STINT_WRITER_H
#define STINT_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "collector/common/conf.h"
#include "collector/common/error.h"
#include "reports/record.h"

struct writer_job {
	const struct conf *conf;
	struct json_object *record; /* this node's */
	struct record_identity identity;
	struct json_object *slurm;  /* what stint-slurm-job said, or NULL */
	const char *slurm_reason;   /* why it is NULL */
	const char *group;          /* name of the job's group, or NULL */
	struct json_object *nodes;  /* array of all nodes' names; the first leads */
	int64_t patience_end_ms;    /* CLOCK_MONOTONIC: until then the other nodes are waited for at once */
};

enum writer_result {
	WRITER_FAILED = -1,
	WRITER_DONE = 0,
	WRITER_WAITING = 1, /* a report without all nodes is there; writer_finish() may better it */
};

/* Where the report goes. */
struct writer_place {
	int dirfd;
	char name[NAME_MAX + 1]; /* in that directory */
	char path[PATH_MAX];     /* of what was written, for people */
	char *summary;           /* what Slurm may keep of the report that was written last, or NULL; see reports/js1.h */
};

/*
 * Opens the directory that @job's report goes to, making what is missing of
 * the pattern's own directories.
 *
 * Returns 0; -1 with @err set.
 */
int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Writes the report (the leading node, or the only one), or the part for it
 * (any other node); the place's path names what was written. What a report that is
 * there tells of another attempt of the job is kept (reports/attempt.h).
 */
enum writer_result writer_deliver(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Waits for the nodes that are missing, at most the configuration's
 * merge_wait_s, and writes the report again. Where one is missing still, this
 * leading node's record is left as a part beside the report, so that late nodes better it.
 *
 * Returns 0; -1 with @err set.
 */
int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err);

/*
 * Returns the report that @job's record, and the parts in the @place's directory, make; it is written nowhere. NULL with
 * @err set. Of the place, directory and name alone are of interest.
 */
struct json_object *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err);

/*
 * Returns CLOCK_MONOTONIC in milliseconds.
 */
int64_t writer_now_ms(void);

#endif
