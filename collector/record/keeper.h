/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper is a child of stintd that writes small records to the spool. While many jobs end, stintd builds these
 * records itself, and passes them to the keeper. So stintd need not fork for each job, nor wait for the disk.
 *
 * stintd forks the keeper when two records come within some seconds. The keeper ends when idle, and after a minute.
 * Without a keeper, stintd forks a child for each record (close_job.h).
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
	int epoll_fd; /* readable when an answer comes */
	int fd;	      /* stintd's socket, if pid is not 0 */
	int pid;      /* 0: none runs */
	uint64_t turn; /* number of the last record */
	unsigned int waiting; /* records without an answer */
	uint64_t since_ns; /* CLOCK_BOOTTIME of the oldest one of them */
	struct standby standby; /* says if a keeper pays */
};

struct keeper_answer {
	uint64_t turn;
	int32_t kept; /* 1: the record is in the spool */
	/* Why the record is not in spool_dir; empty: it is there. */
	char why[sizeof(struct error)];
};

/* Prepares @keeper, but does not fork. Returns 0; -1 with @err set. */
int keeper_open(struct keeper *keeper, struct error *err);

/* Returns a descriptor that is readable when an answer comes. */
int keeper_fd(const struct keeper *keeper);

/*
 * Call for each record. Forks a keeper if many jobs end. Returns true if a keeper runs and does not wait for the disk.
 */
bool keeper_is_at_hand(struct keeper *keeper, struct spool *spool);

/*
 * Passes a record of @length bytes to the keeper, after keeper_is_at_hand() returned true.
 * Returns the number for the answer; 0 if the keeper cannot accept the record.
 */
uint64_t keeper_put(struct keeper *keeper, const char *name, const char *text, size_t length);

bool keeper_take(struct keeper *keeper, struct keeper_answer *answer);

/*
 * Handles the end of the child @pid with the wait status @status. Returns true if the child was the keeper. A record
 * without an answer may be in the spool or not.
 */
bool keeper_ended(struct keeper *keeper, int pid, int status);

#endif
