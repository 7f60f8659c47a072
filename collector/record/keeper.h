/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper: a child of stintd that writes small records to the spool if many jobs end. stintd builds such a record
 * itself and passes it to the keeper. So stintd neither forks for each job nor waits for the disk.
 *
 * stintd forks the keeper with the second record within some seconds. The keeper ends when there is nothing to do, and
 * once a minute. If no keeper runs, or if the keeper has waited long for the disk, a separate child writes each
 * record (close_job.h).
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
	int epoll_fd; /* readable when there is an answer; stays open from one keeper to the next */
	int fd;	      /* stintd's end of the keeper's socket, if pid is not 0 */
	int pid;      /* 0: no keeper runs */
	uint64_t turn; /* the number of the last record, counted over all keepers */
	unsigned int waiting; /* records without an answer */
	uint64_t since_ns; /* CLOCK_BOOTTIME when the keeper began with the first of the waiting records */
	struct standby standby; /* decides when it pays to fork a keeper */
};

struct keeper_answer {
	uint64_t turn;
	int32_t kept; /* 1: the record is in the spool; 0: not */
	char why[sizeof(struct error)]; /* why the record is not in the spool, or only in the reserve; empty: it is in spool_dir */
};

/* Prepares @keeper without forking one. Returns 0; -1 with @err set. */
int keeper_open(struct keeper *keeper, struct error *err);

/* Returns a descriptor that is readable when there is an answer. */
int keeper_fd(const struct keeper *keeper);

/*
 * Call for each record. Forks a keeper for records of @spool, if this pays and no keeper runs.
 *
 * Returns true if a keeper runs that is not waiting for the disk.
 */
bool keeper_is_at_hand(struct keeper *keeper, struct spool *spool);

/*
 * Asks the keeper to write the record @name, the @length bytes at @text, to the spool. Does not wait for the keeper.
 * Call only after keeper_is_at_hand() returned true.
 *
 * Returns the number of the record, which its answer repeats; 0 if the keeper cannot accept the record.
 */
uint64_t keeper_put(struct keeper *keeper, const char *name, const char *text, size_t length);

/* Reads the next answer. Returns false if there is none. */
bool keeper_take(struct keeper *keeper, struct keeper_answer *answer);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if this child was the keeper. Records
 * without an answer may or may not be in the spool.
 */
bool keeper_ended(struct keeper *keeper, int pid, int status);

#endif
