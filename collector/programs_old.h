/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an earlier stintd, of whatever version, has left pinned: its programs, and by them all of its maps, also those
 * that have no pin. What is not stint's is left alone.
 */
#ifndef STINT_PROGRAMS_OLD_H
#define STINT_PROGRAMS_OLD_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "collector/common/error.h"

#define OLD_MAPS_MAX 64
#define OLD_PINS_MAX 128

struct btf;

struct old_map {
	int fd;
	struct bpf_map_info info;
};

struct old_pin {
	char name[64];
	int fd;    /* of the link, the program or the map */
	__u32 link_id; /* 0: it is no link */
	bool ours;
};

struct old {
	char dir[4096];
	struct old_map maps[OLD_MAPS_MAX];
	int map_count;
	struct old_pin pins[OLD_PINS_MAX];
	int pin_count;
	struct btf *btf; /* of the maps: one for all; NULL: they have none */
};

/* Looks at what is pinned in @dir. Returns NULL when that is nothing, or memory ran out. */
struct old *old_open(const char *dir);
void old_free(struct old *old);

/* The map of this name; NULL. */
const struct old_map *old_map(const struct old *old, const char *name);

/* Whether a program is pinned by this name and runs. */
bool old_has(const struct old *old, const char *name);

/* Whether a map is there twice: pins of several starts, of which none is whole. */
bool old_is_mixed(const struct old *old);

/* Whether some job is counted. */
bool old_counts_for_a_job(const struct old *old);

/*
 * Removes the pins of all of its programs, and waits until none of them runs any more: nothing changes in its
 * maps then. Returns 0; -1 with @err set when some still ran after 5 s.
 */
int old_stop(struct old *old, struct error *err);

/* Removes what is left of its pins. Returns how many things are in the directory that are not stint's. */
int old_unpin(const char *dir);

#endif
