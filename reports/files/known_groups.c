/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/known_groups.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define USERS_MAX 128
#define NAME_BYTES 64

enum state { FREE, BEING_FILLED, FILLED };

/* If a process is killed while it fills an entry, the entry stays BEING_FILLED and is never used. */
struct user {
	atomic_int state;
	uid_t uid;
	gid_t gid;
	char name[NAME_BYTES];
	int count;
	gid_t groups[KNOWN_GROUPS_MAX];
};

static struct user *users; /* shared by the child processes */

void known_groups_begin(void)
{
	void *memory = mmap(NULL, USERS_MAX * sizeof(*users), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	users = memory == MAP_FAILED ? NULL : memory;
}

int known_groups_find(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX])
{
	for (int i = 0; users && i < USERS_MAX; i++) {
		const struct user *user = &users[i];
		int state = atomic_load_explicit(&user->state, memory_order_acquire);

		if (state == FREE)
			break;
		if (state != FILLED || user->uid != uid || user->gid != gid || strcmp(user->name, name) != 0)
			continue;
		memcpy(groups, user->groups, user->count * sizeof(*groups));
		return user->count;
	}
	return -1;
}

void known_groups_keep(uid_t uid, gid_t gid, const char *name, const gid_t *groups, int count)
{
	struct user *user = users;
	int state = FREE;

	if (!users || count < 0 || count > KNOWN_GROUPS_MAX || strlen(name) >= NAME_BYTES)
		return;
	while (!atomic_compare_exchange_strong(&user->state, &state, BEING_FILLED)) {
		if (++user == users + USERS_MAX)
			return;
		state = FREE;
	}
	user->uid = uid;
	user->gid = gid;
	snprintf(user->name, sizeof(user->name), "%s", name);
	memcpy(user->groups, groups, count * sizeof(*groups));
	user->count = count;
	atomic_store_explicit(&user->state, FILLED, memory_order_release);
}

void known_groups_end(void)
{
	if (users)
		munmap(users, USERS_MAX * sizeof(*users));
	users = NULL;
}
