/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and reads store lines: what the store keeps of a node record and of Slurm's answer (docs/store.md).
 *
 * A line has no path, file name or argument. Of the timeline and the series, a line has only what the verdict reads. So
 * build_report() makes the same report from lines as from records, except for what the store does not keep.
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
 * Makes the store line of @record.
 *
 * @slurm: Slurm's answer; NULL if there is no answer
 * @scripts: whether scripts keep their names; otherwise they get their interpreters' names
 * @len: set to the number of bytes with the newline
 *
 * Returns the line with a NUL, which the caller must free. Returns NULL with @err set if out of memory, if @record is
 * no node record, or if the line is too long.
 */
char *store_line_make(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len,
		      struct error *err);

/* Adds Slurm's values to @out, without the job's name, nodes and workflow. */
void store_line_put_slurm(struct json_object *out, const struct record_slurm_job *slurm);

/*
 * Returns the revision of a line. A later record of the same attempt and node has a higher revision. Of two lines of
 * the same record, the line with Slurm's answer has the higher revision. A line with the job's last state has the
 * highest revision.
 */
int64_t store_line_revision(const struct record *record, const struct record_slurm_job *slurm);

/*
 * The revision of a line after slurmdbd's later answer was added. It is higher than @revision, but lower than the
 * revision of a later record. Of several lines with this revision, the line that was amended last counts.
 */
#define STORE_REVISION_AMENDED(revision) ((revision) | 3)

/* A line in the form that build_report() needs. */
struct store_line {
	struct record *record; /* record->slurm_job is Slurm's answer, as far as the line has it */
	/*
	 * of the lines of one node, job and attempt, the line with the highest revision counts; lines of the same
	 * revision are equal
	 */
	int64_t revision;
	int64_t amended; /* when slurmdbd's later answer was added, in seconds since 1970; 0 if it was not added */
	struct record_identity identity; /* its text is valid as long as the record */
};

/*
 * Reads a line. Checks all members that are used, and skips unknown members.
 *
 * @text: @len bytes, with or without the newline
 * @name: where the line is, such as "BATCH:12", for @err
 *
 * Returns 0, with @line for store_line_free(). Returns -1 with @err and errno set: EPROTONOSUPPORT for another version,
 * ENOMEM, or EBADMSG for a line that cannot be used.
 */
int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err);

/* @line may be all zero. */
void store_line_free(struct store_line *line);

/*
 * Removes timeline and series from a report of store lines, because readers would think that the few values are
 * complete. Names these gaps. Replaces the gaps of single values of steps by one gap for all steps.
 */
void store_line_finish_report(struct report *report);

#endif
