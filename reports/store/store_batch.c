/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/memory/memory_limit.h"
#include "reports/json/field.h"

static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

void store_batch_name(const struct store_batch_head *head, char name[NAME_MAX + 1])
{
	char node[STORE_BATCH_NODE];

	snprintf(node, sizeof(node), "%s", head->node && *head->node ? head->node : "_");
	for (char *at = node; *at; at++)
		if (!strchr(allowed, *at) || (at == node && *at == '.'))
			*at = '_';
	snprintf(name, NAME_MAX + 1, "%s.%.*s.%010" PRIu64 STORE_BATCH_SUFFIX, node, STORE_BATCH_BOOT - 1, head->boot,
		 head->sequence);
}

bool store_batch_is_name(const char *name)
{
	size_t length = strlen(name), suffix = strlen(STORE_BATCH_SUFFIX);

	return length > suffix && length <= NAME_MAX && name[0] != '.' && strspn(name, allowed) == length &&
	       strcmp(name + length - suffix, STORE_BATCH_SUFFIX) == 0;
}

/* Uses FNV-1a, because it spreads names over the folders even if they differ only in their last digit. */
void store_batch_place(const char *name, char place[STORE_BATCH_PLACE])
{
	uint32_t hash = 2166136261u;

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619u;
	snprintf(place, STORE_BATCH_PLACE, "%02" PRIx32, (hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24) & 0xff);
}

char *store_batch_head_make(const struct store_batch_head *head, size_t *length, struct error *err)
{
	cleanup_json struct json_object *out = json_object_new_object();
	unsigned long failures = memory_failures();
	char *line;
	const char *text;

	put_count(out, "store_batch", STORE_BATCH_VERSION);
	if (head->cluster)
		put_text(out, "cluster", head->cluster);
	else
		put_null(out, "cluster");
	put_text(out, "node", head->node);
	put_text(out, "boot", head->boot);
	put_count(out, "sequence", (int64_t)head->sequence);
	put_time(out, "sealed", head->sealed_unix_ns);
	put_count(out, "lines", (int64_t)head->lines);
	put_count(out, "dropped", (int64_t)head->dropped);
	text = json_object_to_json_string_length(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, length);
	line = text && memory_failures() == failures ? malloc(*length + 2) : NULL;
	if (!line) {
		error_set(err, "out of memory");
		return NULL;
	}
	if (*length + 2 > STORE_BATCH_HEAD_MAX) {
		free(line);
		error_set(err, "the names of its cluster and node are too long for a batch's head");
		return NULL;
	}
	memcpy(line, text, *length);
	strcpy(line + *length, "\n");
	++*length;
	return line;
}

size_t store_batch_head_lines(const char *text, size_t length)
{
	const char *end = memchr(text, '\n', length < STORE_BATCH_HEAD_MAX ? length : STORE_BATCH_HEAD_MAX);
	cleanup_free char *line = end ? strndup(text, (size_t)(end - text)) : NULL;
	cleanup_json struct json_object *head =
		line ? field_parse(line, (size_t)(end - text), "a batch", json_type_object, NULL) : NULL;
	int64_t version, lines;

	if (!field_count(head, "store_batch", &version) || !field_count(head, "lines", &lines) || lines > STORE_BATCH_LINES)
		return 0;
	return (size_t)lines;
}
