/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper is a child of stintd that writes small records to the spool while many jobs end. stintd builds such a
 * record itself and passes it to the keeper. So stintd neither forks for each job nor waits for the disk.
 *
 * stintd forks the keeper when two records come within some seconds. The keeper ends when it has nothing to do, and
 * once a minute. If no keeper runs, or if the keeper has waited long for the disk, a separate child writes each record
 * (close_job.h).
 */
#ifndef STINT_KEEPER_H
#define STINT_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/host/standby.h"
#include "collector/record/spool.h"
#include "common/error.h"

#define KEEPER_RECORD_MAX 65536 /* bytes */

struct keeper {
	int epoll_fd; /* readable when the keeper has sent an answer; stays open from one keeper to the next */
	int fd;	      /* stintd's end of the keeper's socket, if pid is not 0 */
	int pid;      /* 0: no keeper runs */
	uint64_t turn; /* the number of the last record that was passed to a keeper, counted over all keepers */
	unsigned int waiting; /* records without an answer */
	uint64_t since_ns; /* CLOCK_BOOTTIME when the keeper began to write the first of the records that have no answer */
	struct standby standby; /* decides if it pays to fork a keeper */
};

struct keeper_answer {
	uint64_t turn;
	int32_t kept; /* 1: the record is in the spool; 0: not */
	/* Why the record is not in the spool, or is only in the spool's reserve; empty: the record is in spool_dir. */
	char why[sizeof(struct error)];
};

/* Prepares @keeper, but does not fork the keeper yet. Returns 0; -1 with @err set. */
int keeper_open(struct keeper *keeper, struct error *err);

/* Returns a descriptor that is readable when the keeper has sent an answer. */
int keeper_fd(const struct keeper *keeper);

/*
 * Call for each record. Forks a keeper that writes to @spool, if no keeper runs and if it pays to fork one.
 *
 * Returns true if a keeper runs and is not waiting for the disk.
 */
bool keeper_is_at_hand(struct keeper *keeper, struct spool *spool);

/*
 * Asks the keeper to write the record @name to the spool. The record is the @length bytes at @text. Does not wait for
 * the keeper. Call only after keeper_is_at_hand() returned true.
 *
 * Returns the number of the record, which the keeper's answer will repeat. Returns 0 if the keeper cannot accept the
 * record.
 */
uint64_t keeper_put(struct keeper *keeper, const char *name, const char *text, size_t length);

/* Reads the next answer of the keeper. Returns false if there is none. */
bool keeper_take(struct keeper *keeper, struct keeper_answer *answer);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if this child was the keeper. It is not
 * known if records without an answer are in the spool.
 */
bool keeper_ended(struct keeper *keeper, int pid, int status);

#endif
