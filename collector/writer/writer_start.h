/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts stint-epilog: for one record, as a server, or for the store. */
#ifndef STINT_WRITER_START_H
#define STINT_WRITER_START_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define WRITER_PROGRAM "stint-epilog"

struct writer_program {
	const char *libexec_dir; /* where it is */
	const char *conf_path; /* NULL: the default, if there */
	const char *slurm; /* socket of the process that asks Slurm; NULL: each writer asks itself */
	const char *cgroups; /* of the writers (writer_cgroups.h); NULL: there are none */
};

/* Sets @path to the program's file. */
void writer_path(const struct writer_program *program, char path[PATH_MAX + 32]);

/*
 * Starts the writer of the record at @path, which writes to @why_fd why it fails. @first: it is the record's first one.
 * Returns its pid; -1 with @err set.
 */
int writer_start(const struct writer_program *program, const char *path, int why_fd, bool first, struct error *err);

/*
 * Starts the serving stint-epilog, which takes its calls (common/process/writer_process.h) at the socket @fd. Returns
 * its pid; -1 with @err set.
 */
int writer_start_staying(const struct writer_program *program, int fd, struct error *err);

/*
 * Starts stint-epilog to do for the store what @what says ("seal", "send", "all"). It writes to @why_fd what is left,
 * and why. Returns its pid; -1 with @err set.
 */
int writer_start_store(const struct writer_program *program, const char *what, int why_fd, struct error *err);

#endif
