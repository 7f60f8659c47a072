/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the programs that an earlier stintd of any version left pinned. Through these programs, also finds all their
 * maps, even maps without a pin. Leaves the pins of other software alone.
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
	int fd;    /* descriptor of the link or the program; -1: the pin was removed */
	__u32 link_id; /* 0: not a link */
	bool ours;
};

struct old {
	char dir[4096];
	struct old_map maps[OLD_MAPS_MAX];
	int map_count;
	struct old_pin pins[OLD_PINS_MAX];
	int pin_count;
	struct btf *btf; /* one BTF that all maps share; NULL: the maps have no BTF */
};

/* Finds the programs and maps that are pinned in @dir. Returns NULL if nothing is pinned there, or if out of memory. */
struct old *old_open(const char *dir);
void old_free(struct old *old);

/* Finds the map @name. Returns NULL if there is no such map. */
const struct old_map *old_map(const struct old *old, const char *name);

/* Returns true if a program with a pin of this @name runs. */
bool old_has(const struct old *old, const char *name);

/*
 * Returns true if a map exists twice. In this case the pins come from several starts of stintd, and no start still has
 * all its pins.
 */
bool old_is_mixed(const struct old *old);

/* Returns true if the programs of @old count for at least one job. */
bool old_counts_for_a_job(const struct old *old);

/*
 * Removes the pins of all programs of @old, and waits until none of these programs runs. After this, the maps no longer
 * change. Returns 0; -1 with @err set if a program still runs after 5 s.
 */
int old_stop(struct old *old, struct error *err);

/* Removes the remaining pins of stint in @dir. Returns how many things remain in @dir that are not stint's. */
int old_unpin(const char *dir);

#endif
