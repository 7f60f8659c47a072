/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and reads store lines. A store line is what the store keeps from one node record and from Slurm's answer about
 * the job. docs/store.md describes its form.
 *
 * A line contains no path, file name or argument. From the timeline and the series, it has only what the verdict reads.
 * So build_report() makes the same report from a job's lines as from the job's records, except for what the store does
 * not keep.
 */
#ifndef STINT_STORE_LINE_H
#define STINT_STORE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/records/record.h"

#define STORE_LINE_VERSION 1
#define STORE_LINE_MAX 32768 /* maximum bytes of one line, including its newline; most lines have about 2 KiB */
#define STORE_LINE_TOOLS 16 /* the most tools of a job that get an entry each; the other tools are added up as one, named
			     * STORE_LINE_REST */
#define STORE_LINE_NAME 255 /* maximum bytes of a node's or cluster's name; the store's tables do not keep longer names */
#define STORE_LINE_REST "(other tools)"

/*
 * Makes the store line of @record. Does not change @record and @slurm.
 *
 * @slurm: Slurm's answer about the job; NULL if Slurm was not asked, or did not answer
 * @scripts: if true, tools that are scripts keep their names; if false, they get the names of their interpreters
 * @len: set to the number of bytes, including the newline at the end
 *
 * Returns the line, with a NUL after it, which the caller must free. Returns NULL with @err set if out of memory, if
 * @record is not a node record, or if the line is too long.
 */
char *store_line_make(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len,
		      struct error *err);

/*
 * Adds the values of Slurm's answer that a line keeps to @out. Leaves out the job's name, its nodes and its workflow.
 */
void store_line_put_slurm(struct json_object *out, const struct record_slurm_job *slurm);

/*
 * Returns the revision of the line of @record and @slurm. The line of a later record of the same attempt on the same
 * node has a higher revision. Several lines can be made from one record. Among these, a line with Slurm's answer has a
 * higher revision than a line without, and a line with the job's last state has the highest.
 */
int64_t store_line_revision(const struct record *record, const struct record_slurm_job *slurm);

/*
 * Returns the revision that a line of @revision gets when slurmdbd's later answer is added to it. The result is higher
 * than @revision, and lower than the revision of any later record's line. If several lines have the result as their
 * revision, the line that was amended last counts.
 */
#define STORE_REVISION_AMENDED(revision) ((revision) | 3)

/* A store line that was read, in the form that build_report() needs. */
struct store_line {
	struct record *record; /* record->slurm_job is Slurm's answer, as far as the line has it */
	/*
	 * among the lines of one node, job and attempt, the line with the highest revision counts; lines with the
	 * same revision are equal
	 */
	int64_t revision;
	int64_t amended; /* when slurmdbd's later answer was added, in seconds since 1970; 0 if it was not added */
	struct record_identity identity; /* its text is valid as long as the record */
};

/*
 * Reads a line. Checks the types and bounds of all members that are used, and skips unknown members.
 *
 * @text: the line of @len bytes, with or without its newline; more bytes may follow
 * @name: position of the line ("BATCH:12"), for @err
 *
 * Returns 0, with @line for store_line_free(). Returns -1 with @err and errno set. errno is EPROTONOSUPPORT for a line
 * of another version, ENOMEM if out of memory, and EBADMSG for a line that cannot be used.
 */
int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err);

/* Frees the memory that store_line_read() allocated. @line may be all zero. */
void store_line_free(struct store_line *line);

/*
 * Removes the timeline and the series from @report, and adds a gap for each of them, because readers would think that
 * the few values left are complete. Also replaces all gaps about single values of steps by one gap.
 *
 * @report: made from store lines by build_report()
 */
void store_line_finish_report(struct report *report);

#endif
