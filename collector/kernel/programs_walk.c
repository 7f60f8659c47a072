/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#define BATCH 64 /* one bucket of the map may have more */
#define BATCH_BYTES 32768 /* for maps with large entries */
#define BATCH_LEAST 8

struct batch {
	char *keys;
	char *values;
	__u32 room;
	__u32 count;
	size_t key_bytes;
	size_t value_bytes;
	__u64 next;
	bool begun;
};

static int batch_resize(struct batch *batch, __u32 room)
{
	char *keys = realloc(batch->keys, room * batch->key_bytes), *values;

	if (!keys)
		return -1;
	batch->keys = keys;
	values = realloc(batch->values, room * batch->value_bytes);
	if (!values)
		return -1;
	batch->values = values;
	batch->room = room;
	return 0;
}

/* Returns 1; 0 if these are the last entries; -1 on errors. */
static int batch_read(int map_fd, struct batch *batch)
{
	for (;;) {
		int status;

		batch->count = batch->room;
		status = bpf_map_lookup_batch(map_fd, batch->begun ? &batch->next : NULL, &batch->next, batch->keys,
					      batch->values, &batch->count, NULL);
		if (status == 0 || errno == ENOENT) {
			batch->begun = true;
			return status == 0;
		}
		if (errno == EINTR || errno == EAGAIN)
			continue;
		if (errno != ENOSPC || batch_resize(batch, 2 * batch->room) < 0)
			return -1;
	}
}

static void batch_hand_over(int map_fd, const struct batch *batch,
			    bool (*take)(const void *key, const void *value, void *data), void *data)
{
	for (__u32 i = 0; i < batch->count; i++) {
		const char *key = batch->keys + i * batch->key_bytes;

		if (take(key, batch->values + i * batch->value_bytes, data))
			bpf_map_delete_elem(map_fd, key);
	}
}

/* Returns a number of entries that is small enough for malloc() without a system call. */
static __u32 first_room(const struct bpf_map_info *info)
{
	__u32 room = BATCH_BYTES / info->value_size;

	return room > BATCH ? BATCH : room < BATCH_LEAST ? BATCH_LEAST : room;
}

int programs__walk(int map_fd, bool (*take)(const void *key, const void *value, void *data), void *data)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	struct batch batch = {};
	int status = 1;

	if (bpf_obj_get_info_by_fd(map_fd, &info, &size) < 0)
		return -1;
	batch.key_bytes = info.key_size;
	batch.value_bytes = info.value_size;
	if (batch_resize(&batch, first_room(&info)) < 0)
		status = -1;
	while (status > 0) {
		status = batch_read(map_fd, &batch);
		if (status >= 0)
			batch_hand_over(map_fd, &batch, take, data);
	}
	free(batch.keys);
	free(batch.values);
	return status;
}
