/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the backlog share. */
#ifndef STINT_STORE_BACKLOG_INTERNAL_H
#define STINT_STORE_BACKLOG_INTERNAL_H

#include "reports/store/store_backlog.h"

#define STORE_SEALING ".sealing" /* behind the name of a batch whose lines are still in taken/ */
#define STORE_USER ".u" /* followed by a uid: at the end of a line's name, and before a batch's suffix */

struct store_file {
	char name[NAME_MAX + 1];
	uint32_t uid; /* whose it is, by its name; STORE_BACKLOG_NO_USER */
	int64_t made_ns; /* CLOCK_REALTIME */
	uint64_t bytes;
};

struct store_files {
	struct store_file *files;
	size_t count;
};

/*
 * Lists the plain files of the directory @fd whose names end with @suffix ("": all) and do not begin with a dot, the
 * oldest first.
 * @files is to be given back by store_files_free(). Returns 0; -1 with @err set.
 */
int store_files_list(int fd, const char *suffix, struct store_files *files, struct error *err);

void store_files_free(struct store_files *files);

/* Sorts them by user, the oldest of each user first. */
void store_files_by_user(struct store_files *files);

#define cleanup_files __attribute__((cleanup(store_files_free), unused))

/* Reads the state; where there is none of this boot, a new one begins. */
void store_state_read(struct store_backlog *backlog);

/* Keeps the state: it is on stable storage then. Returns 0; -1 with @err set. */
int store_state_write(const struct store_backlog *backlog, struct error *err);

#endif
