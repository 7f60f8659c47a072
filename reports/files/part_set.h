/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a job: the records of its nodes on their way to the one report. Each node leaves its part in the
 * directory of the report, as .stint-JOB.ATTEMPT.NODE.part.
 *
 * Parts lie in the user's directory, and the user may have forged one. So the first line of each has a credential that
 * root of its node made for the record (reports/files/proof.h). A part without one is merged only if there is no munge
 * to prove anything, and a gap names it.
 */
#ifndef STINT_PART_SET_H
#define STINT_PART_SET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/error.h"
#include "reports/files/part_form.h"
#include "reports/files/proof.h"
#include "reports/records/record.h"

/* Writes the file name of @node's part into @name. Returns 0; -1 if the node's name cannot be part of a file name. */
int part_set_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1]);

/*
 * Returns @record as the bytes of a part, to be freed, with their number in @len; NULL with @err set.
 *
 * @notary: NULL: the part has no credential, and its first line says so
 * @slurm: Slurm's answer about the job; may be NULL. The part keeps it for the node that makes the report after Slurm
 * has forgotten the job
 */
char *part_set_make(const struct notary *notary, const struct record *record, const struct record_slurm_job *slurm, size_t *len,
		    struct error *err);

/*
 * Writes @data, made by part_set_make(), as the part of @job's node into the directory @dirfd.
 *
 * Returns 0; -1 with @err set.
 */
int part_set_write(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		   struct error *err);

/*
 * Keeps @data, the leading node's own record made by part_set_make(), beside its report while that node waits for the
 * others, as .stint-JOB.ATTEMPT.NODE.lead. If the leading node dies, stint report can merge the files that are there.
 * This file is not a part: late nodes do not take it as a sign to merge. Returns as part_set_write().
 * part_set_drop_lead() removes the file.
 */
int part_set_keep_lead(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		       struct error *err);
void part_set_drop_lead(int dirfd, const struct record_identity *job);

/*
 * Reads the file name of a part, or of a waiting leading node's record. Returns true, with @job filled, if @name is
 * one. @job's node is *@node, to be freed.
 */
bool part_set_read_name(const char *name, struct record_identity *job, char **node);

/* Whether @nodes contains @node. */
bool part_set_has_node(const struct report_texts *nodes, const char *node);

/*
 * Adds to @nodes, in @memory, the nodes that left a part of the job's attempt in @dirfd and that are not in @nodes yet;
 * at most @most of them.
 */
void part_set_add_nodes(int dirfd, const struct record_identity *job, struct report *memory,
			struct report_texts *nodes, size_t most);

/* Identifies the file of a part: another file of the same name has another stamp. */
struct part_set_stamp {
	uint64_t inode; /* 0: there is no file */
	struct timespec changed;
};

/*
 * Returns true when @node's part exists, sound or damaged, and its stamp is not @refused (NULL: whatever its stamp is).
 */
bool part_set_exist(int dirfd, const struct record_identity *job, const char *node,
		    const struct part_set_stamp *refused);

/* The part to read by part_set_read(). */
struct part_set_wanted {
	int dirfd; /* the directory of the report */
	const struct record_identity *job;
	const char *node;
	bool leads; /* the node leads: if it has no part, the file of part_set_keep_lead() is read */
};

/* The result of part_set_read(). */
struct part_set_found {
	struct part_set_stamp stamp; /* of the file, sound or refused; inode 0: there is none */
	char *credential; /* to be freed: the credential that proved the part; NULL: none did */
};

/*
 * Reads the part as far as @bounds allows, and checks by @proof that its credential belongs to it. Without a notary
 * nothing can be checked, and a gap of the record says so.
 *
 * Returns the part's record, for record_free(); NULL with @err set to the reason why there is none.
 */
struct record *part_set_read(const struct part_set_wanted *wanted, const struct proof_wanted *proof,
			     struct part_bounds *bounds, struct part_set_found *found, struct error *err);

/*
 * Removes @node's part. If the node @leads, also removes the file of part_set_keep_lead(). Missing files are not an
 * error.
 */
void part_set_remove(int dirfd, const struct record_identity *job, const char *node, bool leads);

#endif
