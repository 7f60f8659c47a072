/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the programs that an earlier stintd left pinned, and their maps.
 * Leaves other software's pins alone.
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
	int fd;    /* -1: the pin was removed */
	__u32 link_id; /* 0: not a link */
	bool ours;
};

struct old {
	char dir[4096];
	struct old_map maps[OLD_MAPS_MAX];
	int map_count;
	struct old_pin pins[OLD_PINS_MAX];
	int pin_count;
	struct btf *btf; /* shared by all maps; NULL: none */
};

/* Finds what is pinned in @dir. Returns NULL if nothing is, or if out of memory. */
struct old *old_open(const char *dir);
void old_free(struct old *old);

const struct old_map *old_map(const struct old *old, const char *name);

/* Returns true if a program pinned as @name runs. */
bool old_has(const struct old *old, const char *name);

/* Returns true if a map exists twice. The pins are then from several starts of stintd. */
bool old_is_mixed(const struct old *old);

/* Returns true if the programs count for a job. */
bool old_counts_for_a_job(const struct old *old);

/*
 * Removes the pins of the programs, and waits until no program runs. The maps then no longer change.
 * Returns 0; -1 with @err set if a program still runs after 5 s.
 */
int old_stop(struct old *old, struct error *err);

/* Removes stint's remaining pins in @dir. Returns how many files of other software are left in @dir. */
int old_unpin(const char *dir);

#endif
