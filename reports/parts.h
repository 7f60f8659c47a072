/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a job's other nodes, on their way to the one report: each node
 * leaves its own beside where the report goes, as .stint-JOB.ATTEMPT.NODE.part.
 *
 * They lie in the user's directory and may be the user's own invention. What
 * they say goes into that user's report, and nowhere else.
 */
#ifndef STINT_PARTS_H
#define STINT_PARTS_H

#include <limits.h>
#include <stdbool.h>

#include <json-c/json.h>

#include "collector/common/error.h"
#include "reports/record.h"

#define PART_BYTES_MAX (96u << 20)

/*
 * Writes the file name of the part of @node into @name. Returns 0, or -1 when
 * the node's name does not make one.
 */
int parts_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1]);

/*
 * Writes @record as @job's part of the node @node below the directory @dirfd.
 *
 * @slurm: what Slurm said of the job, kept with it for whoever makes the
 *         report when Slurm has forgotten the job; may be NULL
 *
 * Returns 0; -1 with @err set.
 */
int parts_write(int dirfd, const struct record_identity *job, struct json_object *record, struct json_object *slurm,
		struct error *err);

/*
 * Keeps @record, the leading node's own, beside its report while that waits for the others, as .stint-JOB.ATTEMPT.NODE.lead:
 * should it wait no more, stint report can merge what is there. No part, it tells late nodes nothing. As parts_write();
 * parts_drop_lead() removes it.
 */
int parts_keep_lead(int dirfd, const struct record_identity *job, struct json_object *record, struct json_object *slurm,
		    struct error *err);
void parts_drop_lead(int dirfd, const struct record_identity *job);

/*
 * Reads the name of a part, or of a leading node's record that waits. Returns true, with @job filled (its node is to be
 * freed, apart), when @name is one.
 */
bool parts_read_name(const char *name, struct record_identity *job, char **node);

/*
 * Returns true when the part of @node is there, be it good or damaged.
 */
bool parts_exist(int dirfd, const struct record_identity *job, const char *node);

/*
 * Reads the part of @node, or where there is none what parts_keep_lead() kept. Returns its record, to be put; NULL with @err saying
 * why there is none.
 */
struct json_object *parts_read(int dirfd, const struct record_identity *job, const char *node, struct error *err);

/*
 * Removes the part of @node, and what was kept of it; that there is none is no matter.
 */
void parts_remove(int dirfd, const struct record_identity *job, const char *node);

#endif
