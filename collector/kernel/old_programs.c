/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/old_programs.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/kernel/pin_names.h"
#include "common/cleanup.h"

#define STOP_TRIES 5000 /* one millisecond each */

enum kind {
	OTHER,
	MAP,
	PROGRAM,
	LINK,
};

static enum kind kind_of(int fd)
{
	char path[64], target[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (readlink(path, target, sizeof(target) - 1) < 0)
		return OTHER;
	if (strstr(target, "bpf-map"))
		return MAP;
	if (strstr(target, "bpf-prog"))
		return PROGRAM;
	return strstr(target, "bpf_link") || strstr(target, "bpf-link") ? LINK : OTHER;
}

static bool is_map_pin(const char *name)
{
	return strncmp(name, "map_", 4) == 0;
}

/* Closes @fd if the map is known. */
static void add_map(struct old *old, int fd)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	bool known = bpf_obj_get_info_by_fd(fd, &info, &size) < 0 || old->map_count == OLD_MAPS_MAX;

	for (int i = 0; i < old->map_count; i++)
		known |= old->maps[i].info.id == info.id;
	if (known)
		close(fd);
	else
		old->maps[old->map_count++] = (struct old_map){ fd, info };
}

/* Returns the number of maps. */
static int maps_of_program(int program, __u32 ids[OLD_MAPS_MAX])
{
	struct bpf_prog_info info = { .nr_map_ids = OLD_MAPS_MAX, .map_ids = (__u64)(uintptr_t)ids };
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(program, &info, &size) < 0)
		return 0;
	return info.nr_map_ids < OLD_MAPS_MAX ? info.nr_map_ids : OLD_MAPS_MAX;
}

/* Returns a descriptor that the caller closes; -1 if @pin is no pin of a program or link. */
static int program_of_pin(struct old_pin *pin)
{
	struct bpf_link_info info = {};
	__u32 size = sizeof(info);

	switch (kind_of(pin->fd)) {
	case PROGRAM:
		return dup(pin->fd);
	case LINK:
		if (bpf_obj_get_info_by_fd(pin->fd, &info, &size) < 0)
			return -1;
		pin->link_id = info.id;
		return bpf_prog_get_fd_by_id(info.prog_id);
	default:
		return -1;
	}
}

static bool uses_our_maps(const struct old *old, const __u32 *ids, int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < old->map_count; j++)
			if (old->maps[j].info.id == ids[i])
				return true;
	return false;
}

/* A pin is stint's if its name is known, or if its program uses a map that stint pinned. */
static void judge_pin(struct old *old, struct old_pin *pin)
{
	cleanup_close int program = program_of_pin(pin);
	__u32 ids[OLD_MAPS_MAX];
	int count = program >= 0 ? maps_of_program(program, ids) : 0;

	pin->ours = pin_is_known(pin->name) || uses_our_maps(old, ids, count);
	for (int i = 0; pin->ours && i < count; i++) {
		int fd = bpf_map_get_fd_by_id(ids[i]);

		if (fd >= 0)
			add_map(old, fd);
	}
}

static void look_at(struct old *old, const char *name)
{
	struct old_pin *pin = &old->pins[old->pin_count];
	char path[sizeof(old->dir) + sizeof(pin->name)];

	if (name[0] == '.' || strlen(name) >= sizeof(pin->name) || old->pin_count == OLD_PINS_MAX)
		return;
	snprintf(path, sizeof(path), "%s/%s", old->dir, name);
	pin->fd = bpf_obj_get(path);
	if (pin->fd < 0)
		return;
	if (kind_of(pin->fd) == MAP) {
		if (is_map_pin(name))
			add_map(old, pin->fd);
		else
			close(pin->fd);
		return;
	}
	snprintf(pin->name, sizeof(pin->name), "%s", name);
	pin->link_id = 0;
	old->pin_count++;
}

static struct btf *find_btf(const struct old *old)
{
	const struct old_map *totals = old_map(old, "totals");

	return totals && totals->info.btf_id ? btf__load_from_kernel_by_id(totals->info.btf_id) : NULL;
}

struct old *old_open(const char *dir)
{
	cleanup_closedir DIR *directory = opendir(dir);
	struct old *old = directory ? calloc(1, sizeof(*old)) : NULL;
	struct dirent *entry;

	if (!old)
		return NULL;
	snprintf(old->dir, sizeof(old->dir), "%s", dir);
	while ((entry = readdir(directory)))
		look_at(old, entry->d_name);
	for (int i = 0; i < old->pin_count; i++)
		judge_pin(old, &old->pins[i]);
	old->btf = find_btf(old);
	if (old->map_count || old->pin_count)
		return old;
	old_free(old);
	return NULL;
}

void old_free(struct old *old)
{
	if (!old)
		return;
	for (int i = 0; i < old->map_count; i++)
		close(old->maps[i].fd);
	for (int i = 0; i < old->pin_count; i++)
		if (old->pins[i].fd >= 0)
			close(old->pins[i].fd);
	btf__free(old->btf);
	free(old);
}

/* The kernel keeps only 15 characters. */
const struct old_map *old_map(const struct old *old, const char *name)
{
	for (int i = 0; i < old->map_count; i++)
		if (strncmp(old->maps[i].info.name, name, BPF_OBJ_NAME_LEN - 1) == 0)
			return &old->maps[i];
	return NULL;
}

bool old_has(const struct old *old, const char *name)
{
	for (int i = 0; i < old->pin_count; i++)
		if (strcmp(old->pins[i].name, name) == 0)
			return old->pins[i].fd >= 0;
	return false;
}

bool old_is_mixed(const struct old *old)
{
	for (int i = 0; i < old->map_count; i++)
		if (old_map(old, old->maps[i].info.name) != &old->maps[i])
			return true;
	return false;
}

bool old_counts_for_a_job(const struct old *old)
{
	const struct old_map *jobs = old_map(old, "job_cgroups");
	char key[256];

	return jobs && jobs->info.key_size <= sizeof(key) && bpf_map_get_next_key(jobs->fd, NULL, key) == 0;
}

static void unpin_one(struct old *old, struct old_pin *pin)
{
	char path[sizeof(old->dir) + sizeof(pin->name)];

	snprintf(path, sizeof(path), "%s/%s", old->dir, pin->name);
	unlink(path);
	close(pin->fd);
	pin->fd = -1;
}

/* The kernel may remove a link some time after the last pin and descriptor. */
static bool link_is_gone(__u32 id)
{
	int fd = bpf_link_get_fd_by_id(id);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

/* Waits (by RCU) until programs that run now have ended. */
static void wait_for_runs(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* NULL stops all programs that still run. */
static int stop(struct old *old, const char *name, struct error *err)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	int tries = 0;

	for (int i = 0; i < old->pin_count; i++) {
		struct old_pin *pin = &old->pins[i];

		if (pin->link_id && pin->ours && pin->fd >= 0 && (!name || strcmp(pin->name, name) == 0))
			unpin_one(old, pin);
	}
	for (int i = 0; i < old->pin_count; i++) {
		struct old_pin *pin = &old->pins[i];

		while (pin->link_id && pin->ours && pin->fd < 0 && !link_is_gone(pin->link_id)) {
			if (++tries > STOP_TRIES)
				return error_set(err, "the former kernel programs do not stop");
			nanosleep(&pause, NULL);
		}
	}
	return 0;
}

/*
 * Stop thread_switch first, because it sees the end of threads. If it ran longer than the other programs, an image
 * could end without their counts and look complete.
 */
int old_stop(struct old *old, struct error *err)
{
	if (stop(old, "thread_switch", err) < 0 || stop(old, NULL, err) < 0)
		return -1;
	wait_for_runs();
	return 0;
}

int old_unpin(const char *dir)
{
	struct old *old = old_open(dir);
	cleanup_closedir DIR *directory = opendir(dir);
	struct dirent *entry;
	int foreign = 0;

	while (directory && (entry = readdir(directory))) {
		const char *name = entry->d_name;
		bool ours = is_map_pin(name) || pin_is_known(name);

		if (name[0] == '.')
			continue;
		for (int i = 0; old && i < old->pin_count; i++)
			ours |= old->pins[i].ours && strcmp(old->pins[i].name, name) == 0;
		if (!ours || (unlinkat(dirfd(directory), name, 0) < 0 && unlinkat(dirfd(directory), name, AT_REMOVEDIR) < 0))
			foreign++;
	}
	old_free(old);
	return foreign;
}
