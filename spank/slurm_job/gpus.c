/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/gpus.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"

static const char *const kinds[] = { [GPUS_WHOLE] = "gpu", [GPUS_SHARD] = "shard", [GPUS_MPS] = "mps" };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *gpus_kind_name(enum gpus_kind kind)
{
	return kinds[kind];
}

/* Reads a number without a sign. Moves *@at behind it. Returns false if there is none, or if it is too large. */
static bool take_number(const char **at, uint32_t *number)
{
	const char *end = *at + strspn(*at, "0123456789");
	unsigned long value;

	if (end == *at || end - *at > 10)
		return false;
	value = strtoul(*at, NULL, 10);
	if (value >= UINT32_MAX)
		return false;
	*number = value;
	*at = end;
	return true;
}

/* Moves *@at behind @text. Returns false if @text is not there. */
static bool take_text(const char **at, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

static bool add_index(struct gpus *gpus, uint32_t index)
{
	if (gpus->index_count == GPUS_INDEXES_MAX)
		return false;
	gpus->indexes[gpus->index_count++] = index;
	return true;
}

/* Reads "0-1,3" up to @end. */
static bool read_indexes(const char *at, const char *end, struct gpus *gpus)
{
	uint32_t first, last;

	while (at < end) {
		if (!take_number(&at, &first))
			return false;
		last = first;
		if (take_text(&at, "-") && !take_number(&at, &last))
			return false;
		if (last < first || (gpus->index_count && first <= gpus->indexes[gpus->index_count - 1]))
			return false;
		for (uint32_t i = first; i <= last; i++)
			if (!add_index(gpus, i))
				return false;
		if (at < end && (!take_text(&at, ",") || at == end))
			return false;
	}
	/* Before Slurm 23.02, the indexes of shared GPUs are without the number of shares. */
	return gpus->kind == GPUS_WHOLE ? gpus->index_count == gpus->count : gpus->index_count <= gpus->count;
}

/* Reads "2/8,0/8" up to @end: for each GPU of the node, how many shares the job has, of how many. */
static bool read_shares(const char *at, const char *end, struct gpus *gpus)
{
	uint32_t shares, of;
	uint64_t sum = 0;

	for (uint32_t i = 0; at < end; i++) {
		if (!take_number(&at, &shares) || !take_text(&at, "/") || !take_number(&at, &of) || shares > of)
			return false;
		if (shares) {
			if (!add_index(gpus, i))
				return false;
			gpus->shares[gpus->index_count - 1] = shares;
			gpus->shares_of[gpus->index_count - 1] = of;
			sum += shares;
		}
		if (at < end && (!take_text(&at, ",") || at == end))
			return false;
	}
	return sum == gpus->count;
}

/* Reads what is within the brackets, from @at to @end. Without a count before, "CNT:2" has it. */
static bool read_brackets(const char *at, const char *end, bool counted, struct gpus *gpus)
{
	bool known;

	if (!counted)
		return take_text(&at, "CNT:") && take_number(&at, &gpus->count) && at == end;
	if (take_text(&at, "IDX:"))
		known = read_indexes(at, end, gpus);
	else
		known = gpus->kind != GPUS_WHOLE && read_shares(at, end, gpus);
	if (!known)
		gpus->index_count = 0;
	return true;
}

/* Reads ":a100:2" or ":2". A type can consist of digits, so the last of the parts is the count. */
static bool read_type_and_count(const char **at, struct gpus *gpus, bool *counted)
{
	*counted = false;
	for (int parts = 0; **at == ':'; parts++) {
		const char *part = *at + 1, *rest = part;
		size_t length = strcspn(part, ":,(");

		*counted = take_number(&rest, &gpus->count) && rest == part + length;
		*at = part + length;
		if (*counted && **at != ':')
			return true;
		if (parts > 0 || length == 0 || length >= GPUS_TYPE_MAX)
			return false;
		memcpy(gpus->type, part, length);
		*counted = false;
	}
	return true;
}

static bool read_name(const char **at, enum gpus_kind *kind)
{
	size_t length = strcspn(*at, ":,(");

	for (size_t i = 0; i < KINDS; i++)
		if (strlen(kinds[i]) == length && strncmp(*at, kinds[i], length) == 0) {
			*at += length;
			*kind = i;
			return true;
		}
	return false;
}

/* Moves *@at behind an entry of another resource. Commas within brackets do not end it. */
static bool skip_entry(const char **at)
{
	if (**at == ',')
		return false;
	*at += strcspn(*at, ",(");
	if (**at != '(')
		return true;
	*at += strcspn(*at, ")");
	return take_text(at, ")");
}

/* @wanted: set if the entry has GPUs */
static bool read_entry(const char **at, struct gpus *gpus, bool *wanted)
{
	const char *end;
	bool counted;

	memset(gpus, 0, sizeof(*gpus));
	*wanted = read_name(at, &gpus->kind);
	if (!*wanted)
		return skip_entry(at);
	if (!read_type_and_count(at, gpus, &counted))
		return false;
	if (**at != '(')
		return counted;
	end = strchr(*at, ')');
	if (!end || !read_brackets(*at + 1, end, counted, gpus))
		return false;
	*at = end + 1;
	return true;
}

struct found {
	struct gpus *list;
	size_t count;
};

static void take_all(const struct found *found, void (*take)(const struct gpus *gpus, void *data), void *data)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->list[i].count)
			take(&found->list[i], data);
}

int gpus_of_gres(const char *text, void (*take)(const struct gpus *gpus, void *data), void *data)
{
	cleanup_free struct gpus *list = calloc(GPUS_KINDS_MAX, sizeof(*list));
	struct found found = { list, 0 };
	bool wanted;

	while (list && text && *text) {
		if (found.count == GPUS_KINDS_MAX || !read_entry(&text, &list[found.count], &wanted))
			return -1;
		found.count += wanted;
		if (*text && (!take_text(&text, ",") || !*text))
			return -1;
	}
	take_all(&found, take, data);
	return list ? 0 : -1;
}

/* Reads "gres/gpu:a100=2" or "gres/gpu=2". */
static bool read_tres(const char **at, struct gpus *gpus)
{
	memset(gpus, 0, sizeof(*gpus));
	for (size_t i = 0; i < KINDS; i++) {
		const char *rest = *at;
		size_t length;

		if (!take_text(&rest, "gres/") || !take_text(&rest, kinds[i]) || (*rest != ':' && *rest != '='))
			continue;
		gpus->kind = i;
		length = *rest == ':' ? strcspn(++rest, "=,") : 0;
		if (length >= GPUS_TYPE_MAX)
			return false;
		memcpy(gpus->type, rest, length);
		rest += length;
		if (!take_text(&rest, "=") || !take_number(&rest, &gpus->count) || (*rest && *rest != ','))
			return false;
		*at = rest;
		return true;
	}
	*at += strcspn(*at, ",");
	return true;
}

/* Slurm's count of all types includes the typed ones. It may leave out some types (AccountingStorageTRES). */
static void drop_typed(struct found *found)
{
	for (size_t i = 0; i < found->count; i++) {
		struct gpus *all = &found->list[i];

		for (size_t t = 0; !all->type[0] && t < found->count; t++) {
			const struct gpus *typed = &found->list[t];

			if (typed->type[0] && typed->kind == all->kind)
				all->count -= typed->count < all->count ? typed->count : all->count;
		}
	}
}

int gpus_of_tres(const char *text, void (*take)(const struct gpus *gpus, void *data), void *data)
{
	cleanup_free struct gpus *list = calloc(GPUS_KINDS_MAX, sizeof(*list));
	struct found found = { list, 0 };

	while (list && text && *text) {
		if (found.count == GPUS_KINDS_MAX || !read_tres(&text, &list[found.count]))
			return -1;
		found.count += list[found.count].count > 0;
		if (*text && (!take_text(&text, ",") || !*text))
			return -1;
	}
	drop_typed(&found);
	take_all(&found, take, data);
	return list ? 0 : -1;
}

static void put_list(struct json_object *object, const char *name, const uint32_t *values, uint32_t count)
{
	struct json_object *list = put_array(object, name);

	for (uint32_t i = 0; i < count; i++)
		json_object_array_add(list, json_object_new_int64(values[i]));
}

void gpus_put(struct json_object *list, const char *node, const struct gpus *gpus)
{
	struct json_object *object = json_object_new_object();

	put_text(object, "node", node);
	put_text(object, "kind", kinds[gpus->kind]);
	put_known_text(object, "type", gpus->type);
	put_count(object, "count", gpus->count);
	if (gpus->index_count) {
		put_list(object, "indexes", gpus->indexes, gpus->index_count);
		if (gpus->shares_of[0]) {
			put_list(object, "shares", gpus->shares, gpus->index_count);
			put_list(object, "shares_of", gpus->shares_of, gpus->index_count);
		}
	}
	json_object_array_add(list, object);
}
