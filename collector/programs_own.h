/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs.c (loading, pins) and programs_maps.c (what stands in the maps) share, and nobody else sees. */
#ifndef STINT_PROGRAMS_OWN_H
#define STINT_PROGRAMS_OWN_H

#include <limits.h>
#include <sys/stat.h>

#include "collector/programs.h"

struct bpf_link;
struct ring_buffer;
struct stint_bpf;

/* What is handed from one stintd to the next by its pin. */
enum map_index { SETTINGS, JOB_CGROUPS, TOTALS, TOOLS, PROCESSES, MEMORY_CGROUPS, EXTERN_STEPS, INTERPRETERS, EVENTS, MAPS };

struct programs {
	char dir[PATH_MAX];
	bool pinned;
	bool taken_over;
	struct stint_bpf *skeleton; /* NULL when all was taken over */
	int maps[MAPS];
	int scan_fd; /* the program */
	struct settings settings;
	struct stat stepd; /* the file that the settings' stepd_ fields tell of */
	struct bpf_link *links[PROGRAMS_MAX]; /* NULL when taken over: the pins hold them */
	bool loaded[PROGRAMS_MAX]; /* in the order of programs.c's table */
	char reasons[PROGRAMS_MAX][160];
	struct ring_buffer *ring;
	void (*take)(const struct event *event, void *data);
	void *take_data;
};

/* Hands p->settings to the kernel programs. Returns 0; -1 with @err set. */
int programs__write_settings(struct programs *p, struct error *err);

/* Runs an iterator program to its end. Returns 0; -1 with @err set. */
int programs__iterate(int program_fd, struct error *err);

#endif
