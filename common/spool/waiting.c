/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/spool/waiting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "common/cleanup.h"
#include "common/record_name.h"
#include "common/suffix.h"

#define SETTLED_S 1 /* a change within the tick of the clock in which a directory was read does not change its time */

static void add(struct waiting_files *to, const struct waiting_files *one)
{
	to->count += one->count;
	to->bytes += one->bytes;
	to->oldest_unix_s = waiting_older(to->oldest_unix_s, one->oldest_unix_s);
}

static void count_files(DIR *directory, const char *suffix, struct waiting_files *found)
{
	const struct dirent *entry;
	struct stat st;

	*found = (struct waiting_files){ 0 };
	while ((entry = readdir(directory)))
		if (entry->d_name[0] != '.' && has_suffix(entry->d_name, suffix) &&
		    fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			add(found, &(struct waiting_files){ 1, (uint64_t)st.st_size, st.st_mtim.tv_sec });
}

/* Returns 0; -1 with errno set: nothing is found there. */
static int look_at(struct waiting_place *place, const char *path, const char *suffix)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_closedir DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	struct stat st;
	bool settled;

	if (!directory || fstat(fd, &st) < 0) {
		*place = (struct waiting_place){ 0 };
		return -1;
	}
	if (place->changed.tv_sec == st.st_mtim.tv_sec && place->changed.tv_nsec == st.st_mtim.tv_nsec)
		return 0;
	settled = st.st_mtim.tv_sec + SETTLED_S < time(NULL);
	count_files(directory, suffix, &place->found);
	place->changed = settled ? st.st_mtim : (struct timespec){ 0 };
	return 0;
}

int waiting_look(struct waiting *waiting, struct waiting_seen *seen, const struct conf *conf)
{
	static const char *const folders[] = { STORE_BACKLOG_LINES, STORE_BACKLOG_TAKEN, STORE_BACKLOG_BATCHES };
	struct waiting_place *place = seen->list;
	char path[PATH_MAX + 64];
	int result, why;

	*waiting = (struct waiting){ 0 };
	snprintf(path, sizeof(path), "%s/" RECORD_RESERVE, conf->run_dir);
	look_at(place, path, RECORD_NAME_SUFFIX);
	waiting->reserve = place->found;
	result = look_at(++place, conf->spool_dir, RECORD_NAME_SUFFIX);
	why = errno;
	add(&waiting->records, &waiting->reserve);
	add(&waiting->records, &place->found);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/" STORE_BACKLOG "/%s", conf->spool_dir, folders[i]);
		look_at(++place, path, i < 2 ? "" : STORE_BATCH_SUFFIX);
		add(i < 2 ? &waiting->lines : &waiting->batches, &place->found);
	}
	errno = why;
	return result;
}
