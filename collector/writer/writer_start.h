/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts stint-epilog in one of three ways: as a writer for one record, as a server, or to work on the store.
 */
#ifndef STINT_WRITER_START_H
#define STINT_WRITER_START_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define WRITER_PROGRAM "stint-epilog"

struct writer_program {
	const char *libexec_dir; /* the directory of the program */
	const char *conf_path; /* NULL: the default file, if it exists */
	/* Socket of the helper that asks slurmctld (collector/asking.h); NULL: each writer asks slurmctld itself. */
	const char *slurm;
	const char *cgroups; /* directory of the writers' cgroups (writer_cgroups.h); NULL: none */
};

/* Writes the path of the program's file to @path. */
void writer_path(const struct writer_program *program, char path[PATH_MAX + 32]);

/*
 * Starts a writer for the record at @path. If the writer fails, the writer writes the reason to @why_fd. @first: true
 * if no other writer has tried this record. Returns the writer's pid; -1 with @err set.
 */
int writer_start(const struct writer_program *program, const char *path, int why_fd, bool first, struct error *err);

/*
 * Starts the serving stint-epilog, which receives calls (common/process/writer_process.h) from the socket @fd. Returns
 * the pid of the serving stint-epilog; -1 with @err set.
 */
int writer_start_staying(const struct writer_program *program, int fd, struct error *err);

/*
 * Starts stint-epilog to work on the store. stint-epilog writes to @why_fd what is left to do, and why. Returns its
 * pid; -1 with @err set.
 *
 * @what: "seal" (put lines into a batch), "send" (send batches) or "all" (both)
 */
int writer_start_store(const struct writer_program *program, const char *what, int why_fd, struct error *err);

#endif
