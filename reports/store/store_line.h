/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store line: what the store keeps of one node record, together with Slurm's answer about the job. docs/store.md
 * describes its form.
 *
 * A line has no path, file name or argument. Its timeline and series are reduced to what the verdict reads of them. So
 * build_report() makes the same report from a job's lines as from the job's records, except for what the store does not
 * keep.
 */
#ifndef STINT_STORE_LINE_H
#define STINT_STORE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/records/record.h"

#define STORE_LINE_VERSION 1
#define STORE_LINE_MAX 32768 /* bytes of one line, including its newline; most have about 2 KiB */
#define STORE_LINE_TOOLS 16 /* further tools are added up as one, named STORE_LINE_REST */
#define STORE_LINE_NAME 255 /* bytes of the name of a node or a cluster: the store's tables keep no more of it */
#define STORE_LINE_REST "(other tools)"

/*
 * Makes the store line of @record.
 *
 * @slurm: Slurm's answer about the job; NULL: Slurm was not asked, or did not answer
 * @scripts: tools that are scripts keep their names; false: they get the names of their interpreters
 * @len: set to the number of bytes, including the newline at the end
 *
 * Returns the line, with a NUL after it, to be freed; NULL with @err set: out of memory, no node record, or too long a
 * line. @record and @slurm stay unchanged.
 */
char *store_line_make(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len,
		      struct error *err);

/*
 * Returns the revision of the line of @record and @slurm. A later record of the job's attempt on the node has a higher
 * revision. For one record, a line with Slurm's answer has a higher revision than one without, and a line with the
 * job's last state has the highest.
 */
int64_t store_line_revision(const struct record *record, const struct record_slurm_job *slurm);

/*
 * The revision of a line to which slurmdbd's later answer was added. It is higher than the revision of that line, and
 * lower than that of any later record. If two such lines exist, the one that was amended later counts.
 */
#define STORE_REVISION_AMENDED(revision) ((revision) | 3)

/* A store line that was read, in the form that build_report() takes. */
struct store_line {
	struct record *record; /* record->slurm_job is Slurm's answer, as far as the line has it */
	/*
	 * of the lines of one node, job and attempt, the one with the highest revision counts; lines with equal ones
	 * are the same
	 */
	int64_t revision;
	int64_t amended; /* when slurmdbd's later answer was added, in seconds since 1970; 0: it was not */
	struct record_identity identity; /* its text lives as long as the record */
};

/*
 * Reads a line and checks the types and bounds of all members that are used. Skips unknown members.
 *
 * @text: the line, with or without its newline; @len bytes, which may be followed by more
 * @name: position of the line ("BATCH:12"), for @err
 *
 * Returns 0, with @line for store_line_free(). Returns -1 with @err set, and errno EPROTONOSUPPORT for a line of
 * another version, ENOMEM, or EBADMSG for a line that cannot be used.
 */
int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err);

/* Frees what store_line_read() has made. @line may be zeroed. */
void store_line_free(struct store_line *line);

/*
 * Removes the timeline and the series from @report, which build_report() made of store lines, and names both in its
 * gaps: readers would take the few values that are left for the complete ones. Also replaces all gaps of single values
 * of steps by one.
 */
void store_line_finish_report(struct report *report);

#endif
