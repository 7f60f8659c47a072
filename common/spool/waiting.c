/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/spool/waiting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/record_name.h"
#include "common/suffix.h"

#define SETTLED_S 1 /* seconds; within this time, another change may leave a directory's mtime the same */

static void add(struct waiting_files *to, const struct waiting_files *one)
{
	to->count += one->count;
	to->bytes += one->bytes;
	to->oldest_unix_s = waiting_older(to->oldest_unix_s, one->oldest_unix_s);
}

static const struct {
	const char *folder;
	const char *suffix;
} places[WAITING_PLACES] = {
	{ NULL, RECORD_NAME_SUFFIX },
	{ "", RECORD_NAME_SUFFIX },
	{ "/" STORE_BACKLOG "/" STORE_BACKLOG_LINES, "" },
	{ "/" STORE_BACKLOG "/" STORE_BACKLOG_TAKEN, "" },
	{ "/" STORE_BACKLOG "/" STORE_BACKLOG_BATCHES, STORE_BATCH_SUFFIX },
};

enum { RESERVE, RECORDS, LINES, TAKEN, BATCHES };

static DIR *open_place(const struct conf *conf, int place)
{
	char path[PATH_MAX + 64];
	DIR *directory;
	int fd;

	if (places[place].folder)
		snprintf(path, sizeof(path), "%s%s", conf->spool_dir, places[place].folder);
	else
		snprintf(path, sizeof(path), "%s/" RECORD_RESERVE, conf->run_dir);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	directory = fd >= 0 ? fdopendir(fd) : NULL;
	if (!directory && fd >= 0)
		close(fd);
	return directory;
}

static bool end_place(struct waiting_look *look)
{
	look->seen->list[look->place++] = look->now;
	if (look->directory)
		closedir(look->directory);
	look->directory = NULL;
	return look->place < look->places;
}

static bool begin_place(struct waiting_look *look)
{
	struct timespec *changed = &look->now.changed;
	struct stat st;

	look->now = look->seen->list[look->place];
	look->directory = open_place(look->conf, look->place);
	if (!look->directory || fstat(dirfd(look->directory), &st) < 0) {
		if (look->place == RECORDS)
			look->why = errno;
		look->now = (struct waiting_place){ 0 };
		return end_place(look);
	}
	if (changed->tv_sec == st.st_mtim.tv_sec && changed->tv_nsec == st.st_mtim.tv_nsec)
		return end_place(look);
	look->now = (struct waiting_place){ 0 };
	if (st.st_mtim.tv_sec + SETTLED_S < time(NULL))
		*changed = st.st_mtim;
	return true;
}

static void count_file(struct waiting_look *look, const char *name)
{
	struct stat st;

	if (name[0] != '.' && has_suffix(name, places[look->place].suffix) &&
	    fstatat(dirfd(look->directory), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		add(&look->now.found, &(struct waiting_files){ 1, (uint64_t)st.st_size, st.st_mtim.tv_sec });
}

void waiting_begin(struct waiting_look *look, struct waiting_seen *seen, const struct conf *conf, int count)
{
	*look = (struct waiting_look){ .seen = seen, .conf = conf, .places = count };
}

bool waiting_go_on(struct waiting_look *look)
{
	const struct dirent *entry;

	if (!look->directory)
		return begin_place(look);
	for (int i = 0; i < WAITING_PIECE; i++) {
		entry = readdir(look->directory);
		if (!entry)
			return end_place(look);
		count_file(look, entry->d_name);
	}
	return true;
}

int waiting_end(const struct waiting_look *look, struct waiting *waiting)
{
	const struct waiting_place *place = look->seen->list;

	*waiting = (struct waiting){ .records = place[RECORDS].found,
				     .reserve = place[RESERVE].found,
				     .lines = place[LINES].found,
				     .batches = place[BATCHES].found };
	add(&waiting->records, &waiting->reserve);
	add(&waiting->lines, &place[TAKEN].found);
	errno = look->why;
	return look->why ? -1 : 0;
}

int waiting_look(struct waiting *waiting, struct waiting_seen *seen, const struct conf *conf)
{
	struct waiting_look look;

	waiting_begin(&look, seen, conf, WAITING_PLACES);
	while (waiting_go_on(&look))
		;
	return waiting_end(&look, waiting);
}
