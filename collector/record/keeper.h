/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper: a child of stintd that puts small records into the spool if many jobs end. stintd builds such a record
 * itself, so it neither forks for each job nor waits for the disk.
 *
 * It is forked with the second record within some seconds, and ends when there is nothing to do, and once a minute.
 * While there is none, or it has waited long for the disk, each record has its own child (close_job.h).
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
	int epoll_fd; /* readable when there is an answer; it stays while keepers come and go */
	int fd;	      /* our end of its socket, if pid is not 0 */
	int pid;      /* 0: none runs */
	uint64_t turn; /* of the last record, over all keepers */
	unsigned int waiting; /* records that it has not answered */
	uint64_t since_ns; /* CLOCK_BOOTTIME since when it has been working on the first of these */
	struct standby standby; /* when it pays to fork it */
};

struct keeper_answer {
	uint64_t turn;
	int32_t kept; /* 1: the record is in the spool; 0: it is not */
	char why[sizeof(struct error)]; /* why it is not, or not in spool_dir; empty: it is there */
};

/* Returns 0; -1 with @err set. */
int keeper_open(struct keeper *keeper, struct error *err);

/* Readable when there is an answer. */
int keeper_fd(const struct keeper *keeper);

/*
 * Call for each record that comes. Forks the keeper, for records of @spool, if that pays.
 *
 * Returns whether there is one that is not waiting for the disk.
 */
bool keeper_is_at_hand(struct keeper *keeper, struct spool *spool);

/*
 * Asks the available keeper to put the record @name, the @length bytes at @text, into the spool, and does not wait for
 * it.
 *
 * Returns the record's turn, by which its answer is known; 0: the keeper does not take it.
 */
uint64_t keeper_put(struct keeper *keeper, const char *name, const char *text, size_t length);

/* Takes the next answer. Returns whether there was one. */
bool keeper_take(struct keeper *keeper, struct keeper_answer *answer);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns whether it was the keeper. Unanswered
 * records may be in the spool or not.
 */
bool keeper_ended(struct keeper *keeper, int pid, int status);

#endif
