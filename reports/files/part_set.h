/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the parts of a job. A part is the record of one node. The parts of all nodes are merged into the one
 * report of the job. Each node leaves its part in the directory of the report, as .stint-JOB.ATTEMPT.NODE.part.
 *
 * Parts are in the user's directory, so the user may have forged one. To prove that it is genuine, the first line of
 * each part has a credential that root of the part's node made for the record (reports/files/proof.h). A part without a
 * credential is merged only if there is no munge to prove anything. A gap then says that nothing proves the part.
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
 * Returns @record as the bytes of a part, which the caller must free, and sets @len to their number. On failure returns
 * NULL with @err set.
 *
 * @notary: if NULL, the part has no credential, and its first line says so
 * @slurm: Slurm's answer about the job; may be NULL. The part keeps this answer for the node that makes the report,
 * because Slurm may have forgotten the job by then
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
 * Writes @data as .stint-JOB.ATTEMPT.NODE.lead beside the report. @data is the leading node's own record, made by
 * part_set_make(). The file stays there while the leading node waits for the other nodes. If the leading node dies,
 * stint report can merge this file with the parts that are there. The file does not have the name of a part, because
 * nodes that end late would treat a part as a sign to merge.
 *
 * Returns the same as part_set_write(). part_set_drop_lead() removes the file.
 */
int part_set_keep_lead(int dirfd, const struct record_identity *job, mode_t mode, const char *data, size_t len,
		       struct error *err);
void part_set_drop_lead(int dirfd, const struct record_identity *job);

/*
 * Parses the file name @name. If it is the name of a part, or of a file that part_set_keep_lead() writes, returns true
 * with @job filled. @job->node then points to *@node, which the caller must free.
 */
bool part_set_read_name(const char *name, struct record_identity *job, char **node);

/* Returns true if @nodes contains @node. */
bool part_set_has_node(const struct report_texts *nodes, const char *node);

/*
 * Adds each node to @nodes that left a part of the job's attempt in @dirfd, unless @nodes already has the node. Adds at
 * most @most nodes. The memory of the names belongs to @memory.
 */
void part_set_add_nodes(int dirfd, const struct record_identity *job, struct report *memory,
			struct report_texts *nodes, size_t most);

/* Identifies the file of a part. Another file of the same name has another stamp. */
struct part_set_stamp {
	uint64_t inode; /* 0 if there is no file */
	struct timespec changed;
};

/*
 * Returns true if the file of @node's part exists, even if the part is damaged. If @refused is not NULL, the file's
 * stamp must also differ from @refused.
 */
bool part_set_exist(int dirfd, const struct record_identity *job, const char *node,
		    const struct part_set_stamp *refused);

/* Says which part part_set_read() must read. */
struct part_set_wanted {
	int dirfd; /* the directory of the report */
	const struct record_identity *job;
	const char *node;
	bool leads; /* @node is the leading node. If it has no part, part_set_read() reads the file of part_set_keep_lead()
		     * instead */
};

/* The result of part_set_read(). */
struct part_set_found {
	struct part_set_stamp stamp; /* the stamp of the file, even if the part was refused; the inode is 0 if there is no file */
	char *credential; /* the credential that proved the part, which the caller must free; NULL if there is none */
};

/*
 * Reads the part if @bounds allows it, and uses @proof to check that the part's credential was made for this part. If
 * @proof has no notary, nothing can be checked, and a gap in the record says so.
 *
 * Returns the part's record, for record_free(); NULL with @err set to the reason if there is none.
 */
struct record *part_set_read(const struct part_set_wanted *wanted, const struct proof_wanted *proof,
			     struct part_bounds *bounds, struct part_set_found *found, struct error *err);

/*
 * Removes @node's part. If the node @leads, also removes the file of part_set_keep_lead(). Missing files are not an
 * error.
 */
void part_set_remove(int dirfd, const struct record_identity *job, const char *node, bool leads);

#endif
