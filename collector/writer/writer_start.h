/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts stint-epilog: for one record, as a server, or for the store. */
#ifndef STINT_WRITER_START_H
#define STINT_WRITER_START_H

#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

#define WRITER_PROGRAM "stint-epilog"

struct writer_program {
	const char *libexec_dir; /* of the program */
	const char *conf_path; /* NULL: the default file, if it exists */
	/* Socket of the helper (collector/asking.h); NULL: each writer asks slurmctld itself. */
	const char *slurm;
	const char *cgroups; /* directory of the writers' cgroups; NULL: none */
};

void writer_path(const struct writer_program *program, char path[PATH_MAX + 32]);

/*
 * Starts a writer for the record at @path.
 *
 * @why_fd: the writer writes here why it failed
 * @first: the first try to deliver the record
 *
 * Returns the writer's pid; -1 with @err set.
 */
int writer_start(const struct writer_program *program, const char *path, int why_fd, bool first, struct error *err);

/*
 * Starts the serving stint-epilog. @fd: socket for its calls (common/process/writer_process.h)
 * Returns the pid; -1 with @err set.
 */
int writer_start_staying(const struct writer_program *program, int fd, struct error *err);

/*
 * Starts stint-epilog --store.
 *
 * @what: "seal" (make batches), "send" (send batches) or "all"
 * @why_fd: receives what is left to do, and why
 *
 * Returns the pid; -1 with @err set.
 */
int writer_start_store(const struct writer_program *program, const char *what, int why_fd, struct error *err);

#endif
