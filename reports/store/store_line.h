/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store line: what the store keeps of one node record, together with what Slurm said of the job. docs/store.md has
 * its form.
 *
 * It has no path, file name or argument. The timeline and the series are reduced to what the verdict reads of them. So
 * build_report() makes of a job's lines the report that it makes of the job's records, less what the store does not
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
#define STORE_LINE_MAX 32768 /* bytes of one line, its newline included; most have about 2 KiB */
#define STORE_LINE_TOOLS 16 /* more are added up as one, named STORE_LINE_REST */
#define STORE_LINE_NAME 255 /* bytes of the name of a node or a cluster: the store's tables keep no more apart */
#define STORE_LINE_REST "(other tools)"

/*
 * Makes the store line of @record.
 *
 * @slurm: what Slurm says of the job; NULL: nobody asked, or it did not answer
 * @scripts: whether tools that are scripts keep their names; false: they have their interpreters' names
 * @len: gets the number of bytes, the newline at the end included
 *
 * Returns the line, with a NUL behind it, to be freed; NULL with @err set: memory is short, or it is no node record.
 * @record and @slurm stay as they were.
 */
char *store_line_make(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len,
		      struct error *err);

/*
 * Returns the revision that the line of @record and @slurm has. A later record of the job's attempt on the node has a
 * higher one; and of one record, the line that has Slurm's answer, and then the one that has the job's last state.
 */
int64_t store_line_revision(const struct record *record, const struct record_slurm_job *slurm);

/*
 * The revision of a line into which slurmdbd's later word was put: above that of the line, and below that of any later
 * record. Of two such lines, the one that was amended later counts.
 */
#define STORE_REVISION_AMENDED(revision) ((revision) | 3)

/* A store line that was read back, in the form that build_report() takes. */
struct store_line {
	struct record *record; /* record->slurm_job is what the line has of Slurm's */
	/* of the lines of one node, job and attempt, the one with the highest counts; equal ones are the same */
	int64_t revision;
	int64_t amended; /* when it got slurmdbd's later word, seconds since 1970; 0: it did not */
	struct record_identity identity; /* its text lives as long as the record */
};

/*
 * Reads a line back and checks it: the types and bounds of all that is used. Members that are not known are skipped.
 *
 * @text: the line, with or without its newline; @len bytes, behind which there may be more
 * @name: where it stands ("BATCH:12"), for @err
 *
 * Returns 0, with @line to be given back by store_line_free(). Returns -1 with @err set, and errno EPROTONOSUPPORT for
 * a line of another version, ENOMEM, or EBADMSG: nobody can use it.
 */
int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err);

/*
 * Gives back what store_line_read() has made. A zeroed @line is allowed.
 */
void store_line_free(struct store_line *line);

/*
 * Takes out of @report, which build_report() made of store lines, what stands for the timeline and the series there,
 * and names both in its gaps: readers would take the rest for all of it.
 */
void store_line_finish_report(struct report *report);

#endif
