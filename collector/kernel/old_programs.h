/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an earlier stintd, of any version, has left pinned: its programs, and through these all of its maps, also maps
 * without a pin. Pins of others are left alone.
 */
#ifndef STINT_OLD_PROGRAMS_H
#define STINT_OLD_PROGRAMS_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "common/error.h"

#define OLD_MAPS_MAX 64
#define OLD_PINS_MAX 128

struct btf;

struct old_map {
	int fd;
	struct bpf_map_info info;
};

struct old_pin {
	char name[64];
	int fd;    /* of the link or the program; -1: unpinned */
	__u32 link_id; /* 0: not a link */
	bool ours;
};

struct old {
	char dir[4096];
	struct old_map maps[OLD_MAPS_MAX];
	int map_count;
	struct old_pin pins[OLD_PINS_MAX];
	int pin_count;
	struct btf *btf; /* one for all maps; NULL: they have none */
};

/* Finds what is pinned in @dir. Returns NULL if there is nothing, or memory ran out. */
struct old *old_open(const char *dir);
void old_free(struct old *old);

/* Finds the map of this name; NULL: there is none. */
const struct old_map *old_map(const struct old *old, const char *name);

/* Whether a program has a pin of this name and runs. */
bool old_has(const struct old *old, const char *name);

/* Whether a map exists twice: then the pins come from several starts of stintd, and no start has all of its pins. */
bool old_is_mixed(const struct old *old);

/* Whether some job is counted. */
bool old_counts_for_a_job(const struct old *old);

/*
 * Removes the pins of all of its programs, and waits until none of them runs any more: then its maps no longer change.
 * Returns 0; -1 with @err set if some still ran after 5 s.
 */
int old_stop(struct old *old, struct error *err);

/* Removes the remaining pins of stint in @dir. Returns how many other things are there. */
int old_unpin(const char *dir);

#endif
