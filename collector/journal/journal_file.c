/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/journal/journal_file.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/frame.h"
#include "common/pack.h"

/* Comes before the message in the frame. */
struct kept_head {
	uint32_t version;
	uint32_t layout;
};

#define KEPT_VERSION 4 /* increase if a field changes its meaning */

/* Returns a number for the sizes of these structures and the offsets of their members. */
static uint32_t layout(void)
{
	static const size_t sizes[] = {
		sizeof(struct journal_message),
		offsetof(struct journal_message, cgroup),
		sizeof(struct control_open),
		sizeof(struct control_job_close),
		sizeof(struct cgroup_job),
		offsetof(struct cgroup_job, memory_step_id),
		offsetof(struct journal_message, registered_ns),
		offsetof(struct journal_message, unseen),
	};

	return frame_layout(sizes, sizeof(sizes) / sizeof(sizes[0]));
}

char *journal_file_make(const struct journal_message *kept, const char *entries, size_t entries_size, size_t *size)
{
	const struct kept_head head = { KEPT_VERSION, layout() };
	cleanup_free char *content = malloc(sizeof(head) + pack_room(sizeof(*kept)));
	char *frame, *whole;
	size_t length;

	if (!content)
		return NULL;
	memcpy(content, &head, sizeof(head));
	length = pack(kept, sizeof(*kept), content + sizeof(head));
	frame = frame_make(FRAME_KEPT, content, sizeof(head) + length, size);
	whole = frame ? realloc(frame, *size + entries_size) : NULL;
	if (!whole) {
		free(frame);
		return NULL;
	}
	if (entries_size)
		memcpy(whole + *size, entries, entries_size);
	*size += entries_size;
	return whole;
}

static uint32_t checksum_of(const struct journal_entry *entry)
{
	return frame_checksum(&entry->kind, sizeof(*entry) - offsetof(struct journal_entry, kind));
}

struct journal_entry journal_file_entry(const struct control_message *message)
{
	bool task = message->kind == CONTROL_TASK;
	struct journal_entry entry = {
		.kind = message->kind,
		.sent_ns = message->sent_ns,
		.rank = task ? message->task.rank : message->mode,
		.value = task ? message->task.pid : message->step_close.exit_status,
	};

	entry.checksum = checksum_of(&entry);
	return entry;
}

static int refuse(struct error *err, const char *name, const char *what)
{
	return error_set(err, "%s: %s", name, what);
}

static int take_message(const char *name, const void *data, size_t length, struct journal_message *kept,
			struct error *err)
{
	if (length < sizeof(kept->message))
		return refuse(err, name, "it is shorter than a message");
	memcpy(&kept->message, data, sizeof(kept->message));
	return control_message_valid(&kept->message, sizeof(kept->message))
		       ? 0
		       : refuse(err, name, "it is not a message, or another version of stint wrote it");
}

/*
 * Reads the message from @content. In another version's file, only the control message is known.
 * Returns 0; -1 with @err set.
 */
static int take_content(const char *name, const struct kept_head *head, const char *content, size_t length,
			struct journal_message *kept, struct error *err)
{
	size_t room = 2 * sizeof(*kept);
	cleanup_free char *unpacked = malloc(room);
	ssize_t unpacked_length;

	if (!unpacked)
		return refuse(err, name, "out of memory");
	unpacked_length = unpack(content, length, unpacked, room);
	if (unpacked_length < 0)
		return refuse(err, name, "it is not a message");
	if (take_message(name, unpacked, unpacked_length, kept, err) < 0)
		return -1;
	if (head->version == KEPT_VERSION && head->layout == layout() && unpacked_length == sizeof(*kept))
		memcpy(kept, unpacked, sizeof(*kept));
	return 0;
}

int journal_file_read(const char *name, const char *data, size_t size, struct journal_message *kept, size_t *entries,
		      struct error *err)
{
	struct kept_head head;
	const char *content;
	size_t length;

	memset(kept, 0, sizeof(*kept));
	*entries = size;
	if (!frame_begins(data, size))
		return refuse(err, name, "it is not a message");
	*entries = frame_size(data, size);
	content = frame_content(data, *entries, FRAME_KEPT, name, &length, err);
	if (!content)
		return -1;
	if (length < sizeof(head))
		return refuse(err, name, "it is shorter than a message");
	memcpy(&head, content, sizeof(head));
	return take_content(name, &head, content + sizeof(head), length - sizeof(head), kept, err);
}

static void fill_from_begin(struct journal_message *kept, const struct journal_message *begin)
{
	struct control_message *message = &kept->message;

	memset(kept, 0, sizeof(*kept));
	memcpy(message, &begin->message, offsetof(struct control_message, open));
}

bool journal_file_next(const char *data, size_t size, size_t *at, const struct journal_message *begin,
		       struct journal_message *kept)
{
	struct control_message *message = &kept->message;
	struct journal_entry entry;

	if (size - *at < sizeof(entry))
		return false;
	memcpy(&entry, data + *at, sizeof(entry));
	if (entry.checksum != checksum_of(&entry) || (entry.kind != CONTROL_TASK && entry.kind != CONTROL_STEP_CLOSE))
		return false;
	*at += sizeof(entry);
	fill_from_begin(kept, begin);
	message->kind = (uint16_t)entry.kind;
	message->sent_ns = entry.sent_ns;
	if (entry.kind == CONTROL_TASK) {
		message->task = (struct control_task){ begin->message.open.task.stepd_pid, entry.value, entry.rank };
	} else {
		message->step_close.exit_status = entry.value;
		message->mode = entry.rank;
	}
	return true;
}
