/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the job's containers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"
#include "common/memory/array.h"
#include "common/utf8.h"

static void collect(uint64_t id, const struct container *container, void *data)
{
	struct build *b = data;

	if (!array_room(&b->containers, b->container_count, sizeof(*b->containers))) {
		b->containers_failed = true;
		return;
	}
	b->containers[b->container_count++] = (struct listed_container){ .id = id, .container = *container };
}

static int by_serial(const void *left, const void *right)
{
	const struct container *a = &((const struct listed_container *)left)->container;
	const struct container *b = &((const struct listed_container *)right)->container;

	return (a->serial > b->serial) - (a->serial < b->serial);
}

void node_record_read_containers(struct build *b)
{
	if (!b->totals.containers)
		return;
	if (programs__containers(b->source->programs, b->job->key, collect, b) < 0)
		b->containers_failed = true;
	if (b->container_count)
		qsort(b->containers, b->container_count, sizeof(*b->containers), by_serial);
}

static const struct listed_container *find(const struct build *b, uint64_t id)
{
	for (size_t i = 0; id && i < b->container_count; i++)
		if (b->containers[i].id == id)
			return &b->containers[i];
	return NULL;
}

void node_record_add_container(const struct build *b, struct json_object *object, uint64_t id)
{
	const struct listed_container *container = find(b, id);

	if (container)
		put_count(object, "container", container - b->containers);
}

/* Returns true if @text is the digest of an image, such as "sha256:0123...". A port has at most 5 digits. */
static bool is_digest(const char *text)
{
	size_t digits;

	if (strncmp(text, "sha256:", 7) != 0 && strncmp(text, "sha512:", 7) != 0)
		return false;
	digits = strspn(text + 7, "0123456789abcdef");
	return digits > 5 && !text[7 + digits];
}

/* Returns what follows the user and the password in the text from @host to @end. */
static char *skip_user(char *host, char *end)
{
	char *at = end;

	while (at > host && (at[-1] != '@' || is_digest(at)))
		at--;
	return at;
}

/*
 * Leaves out what can be a secret in the name of an image: the user and the password before its host, and what follows a
 * question mark or "#".
 *
 * @cut: the kernel programs have only the front of the name
 *
 * Returns false if a part of a password can remain.
 */
static bool strip(char *image, bool cut)
{
	char *query = image + strcspn(image, "?#"), *host = strstr(image, "://"), *end;
	bool queried = *query;

	if (!host || host > query) {
		*query = '\0';
		return true;
	}
	host += strlen("://");
	end = host + strcspn(host, "/?#");
	if (strstr(host, "://") || (cut && !*end))
		return false;
	/* The mark, and no query, may belong to the password. */
	if (queried && end == query && strchr(query, '@'))
		return false;
	*query = '\0';
	memmove(host, skip_user(host, end), strlen(skip_user(host, end)) + 1);
	return true;
}

void node_record_add_image(struct json_object *object, const struct tool *tool)
{
	size_t length = strlen(tool->script);
	bool cut = length == sizeof(tool->script) - 1;
	char image[ABI_PATH_MAX + 4];

	if (tool->runtime < TOOL_RUNTIME_OF_IMAGE)
		return;
	if (cut)
		length = utf8_whole(tool->script, length);
	snprintf(image, sizeof(image), "%.*s%s", (int)length, tool->script, cut ? "..." : "");
	if (strip(image, cut))
		put_known_text(object, "image", image);
}

static const struct tool *runtime_of(const struct build *b, const struct container *c)
{
	for (size_t i = 0; c->runtime && i < b->tool_count; i++)
		if (b->listed[i].id == c->runtime)
			return b->listed[i].tool.runtime ? &b->listed[i].tool : NULL;
	return NULL;
}

static void add_runtime(const struct build *b, struct json_object *object, const struct container *c)
{
	const struct tool *runtime = runtime_of(b, c);

	if (!runtime)
		return;
	put_known_text(object, "runtime", runtime->name);
	node_record_add_image(object, runtime);
	if (c->runtime_start_ns)
		put_count(object, "runtime_start_unix_ns", c->runtime_start_ns + b->to_unix_ns);
}

/* Returns true if the container's first process had ended, or if stintd was not asked while it may have run. */
static bool has_ended(const struct build *b, const struct container *c)
{
	return c->end_ns && (c->count == 1 || !b->job->queried);
}

static struct json_object *build_container(const struct build *b, const struct listed_container *listed)
{
	const struct container *c = &listed->container;
	struct json_object *object = json_object_new_object();
	char root[ABI_COMM_MAX + sizeof(c->server) + 1];

	add_runtime(b, object, c);
	snprintf(root, sizeof(root), "%s%s%s", c->root, c->server[0] ? "." : "", c->server);
	put_known_text(object, "root", root);
	if (c->loop)
		put_flag(object, "loop", true);
	put_count(object, "count", c->count);
	if (c->pid)
		put_count(object, "pid", c->pid);
	if (c->count == 1)
		node_record_add_step(b, object, c->step);
	put_count(object, "start_unix_ns", c->start_ns + b->to_unix_ns);
	if (has_ended(b, c))
		put_count(object, "end_unix_ns", c->end_ns + b->to_unix_ns);
	if (has_ended(b, c) && c->pid)
		put_count(object, "exit_status", c->status);
	put_count(object, "runs", c->runs);
	put_count(object, "failures", c->failures);
	if (!b->uncounted[USE_CPU])
		put_count(object, "cpu_ns", c->cpu_ns);
	return object;
}

void node_record_containers(struct build *b)
{
	struct json_object *array;

	if (b->containers_failed)
		node_record_gap(b, "containers", "out of memory");
	if (b->totals.lost_containers)
		node_record_gap(b, "containers",
				"stint's BPF map of containers was full: some of the job's processes ran in containers that are not "
				"listed");
	if (b->totals.processes && !b->totals.root_inode)
		node_record_gap(b, "containers",
				"the job's tasks began before these kernel programs counted: their root directory is not known");
	if (!b->container_count)
		return;
	array = json_object_new_array();
	json_object_object_add(b->record, "containers", array);
	for (size_t i = 0; i < b->container_count; i++)
		json_object_array_add(array, build_container(b, &b->containers[i]));
}
