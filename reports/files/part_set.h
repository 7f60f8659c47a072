/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the parts of a job. A part is the record of one node.
 * Each node leaves its part beside the report, as .stint-JOB.ATTEMPT.NODE.part. All parts are merged into the report.
 *
 * Parts are in the user's directory, so a user can forge one.
 * So root of the node signs the record: the first line has the signature (reports/files/proof.h).
 * On a cluster without munge, parts have no signature. They are merged, and a gap says that they are not proved.
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

/* Writes the file name of @node's part. Returns 0; -1 if the node's name cannot be in a file name. */
int part_set_name(const struct record_identity *job, const char *node, char name[NAME_MAX + 1]);

/*
 * Returns @record as the bytes of a part, which the caller must free; NULL with @err set.
 *
 * @notary: if NULL, the part has no credential, and its first line says so
 * @slurm: Slurm's answer about the job; may be NULL.
 * The part includes this answer, because Slurm may forget the job before the report is made.
 * @len: set to the number of bytes
 */
char *part_set_make(const struct notary *notary, const struct record *record, const struct record_slurm_job *slurm, size_t *len,
		    struct error *err);

/*
 * Writes @data of part_set_make() as the part of @job's node into the directory @dirfd.
 *
 * Returns 0; -1 with @err set.
 */
int part_set_write(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		   struct error *err);

/*
 * Writes @data as .stint-JOB.ATTEMPT.NODE.lead beside the report, while the leading node waits for all other nodes.
 * If the leading node dies, stint report can merge the file with the parts.
 * The file must not have the name of a part, because nodes that end late would then merge the parts themselves.
 * part_set_drop_lead() removes the file.
 *
 * @data: the leading node's own record, from part_set_make()
 *
 * Returns 0; -1 with @err set.
 */
int part_set_keep_lead(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		       struct error *err);
void part_set_drop_lead(int dirfd, const struct record_identity *job);

/*
 * Parses the name of a part, or of a file of part_set_keep_lead(). Returns true with @job filled.
 * @job->node then points to *@node, which the caller must free.
 */
bool part_set_read_name(const char *name, struct record_identity *job, char **node);

/* Returns whether @nodes contains @node. */
bool part_set_has_node(const struct report_texts *nodes, const char *node);

/*
 * Adds the nodes that left a part of the job's attempt in @dirfd, each once, up to @most nodes.
 * The names are in @memory.
 */
void part_set_add_nodes(int dirfd, const struct record_identity *job, struct report *memory,
			struct report_texts *nodes, size_t most);

/* Identifies the file of a part. Another file of the same name has another stamp. */
struct part_set_stamp {
	uint64_t inode; /* 0 if there is no file */
	struct timespec changed;
};

/*
 * Returns whether @node's part exists, even if it is damaged.
 *
 * @refused: a stamp that the file must not have; may be NULL
 */
bool part_set_exist(int dirfd, const struct record_identity *job, const char *node,
		    const struct part_set_stamp *refused);

/* The part to read. */
struct part_set_wanted {
	int dirfd; /* the directory of the report */
	const struct record_identity *job;
	const char *node;
	bool leads; /* node leads the job: if it has no part, read its file of part_set_keep_lead() */
};

/* The result of part_set_read(). */
struct part_set_found {
	struct part_set_stamp stamp; /* of the file, even if the part was refused; inode 0 if there is no file */
	char *credential; /* the credential that proved the part, which the caller must free; may be NULL */
};

/*
 * Reads the part within @bounds, and checks its credential with @proof.
 * Without a notary in @proof nothing can be checked, and a gap in the record says so.
 *
 * Returns the part's record, for record_free(); NULL with @err set.
 */
struct record *part_set_read(const struct part_set_wanted *wanted, const struct proof_wanted *proof,
			     struct part_bounds *bounds, struct part_set_found *found, struct error *err);

/*
 * Removes @node's part and, if the node @leads, the file of part_set_keep_lead().
 * Missing files are no error.
 */
void part_set_remove(int dirfd, const struct record_identity *job, const char *node, bool leads);

#endif
