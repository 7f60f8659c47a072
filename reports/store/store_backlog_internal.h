/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the backlog. */
#ifndef STINT_STORE_BACKLOG_INTERNAL_H
#define STINT_STORE_BACKLOG_INTERNAL_H

#include "reports/store/store_backlog.h"

#define STORE_SEALING ".sealing" /* end of a batch's file name while the batch's lines are still in taken/ */
#define STORE_USER ".u" /* comes before the uid in a file name. The uid is at the end of a line's file name, and before the
			 * suffix of a batch's */

struct store_file {
	char name[NAME_MAX + 1];
	uint32_t uid; /* the owner according to the file's name, or STORE_BACKLOG_NO_USER */
	int64_t made_ns; /* CLOCK_REALTIME */
	uint64_t bytes;
};

struct store_files {
	struct store_file *files;
	size_t count;
};

/*
 * Lists the plain files of the directory @fd, the oldest first. Leaves out files whose names begin with a dot.
 *
 * @suffix: ends the names; "" for all files
 *
 * Returns 0, with @files for store_files_free(); -1 with @err set.
 */
int store_files_list(int fd, const char *suffix, struct store_files *files, struct error *err);

void store_files_free(struct store_files *files);

/* Sorts by user, and a user's files by age, the oldest first. */
void store_files_by_user(struct store_files *files);

#define cleanup_files __attribute__((cleanup(store_files_free), unused))

/* Reads the state. Begins a new state if there is no state of this boot. */
void store_state_read(struct store_backlog *backlog);

/* Saves the state on stable storage. Returns 0; -1 with @err set. */
int store_state_write(const struct store_backlog *backlog, struct error *err);

#endif
