/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/oom_kills.h"

#include <math.h>

#include "reports/json/fact_number.h"
#include "reports/json/field.h"

#define MOST_PART 0.5 /* of the limit, or of the kernel's memory: what is more than all else */
/*
 * A name takes 192 bytes (struct dentry), and its inode about 1,100 at most (ext4; of tmpfs some 750, in slabs that are not
 * reclaimable). So where files' names and inodes fill the slabs, at least this part of them is reclaimable.
 */
#define NAMES_PART 0.1

static struct json_object *victims_of(struct json_object *report)
{
	return field_typed(report, "oom", json_type_array);
}

/* Pages of mapped files need not count for the limit: of two victims, they say which is larger only if the rest of one is not known. */
static bool is_larger(struct json_object *victim, struct json_object *other)
{
	double used = fact_number(victim, "used_bytes"), there = fact_number(other, "used_bytes");

	return isnan(used) || isnan(there) ? fact_number(victim, "rss_bytes") > fact_number(other, "rss_bytes") : used > there;
}

struct json_object *oom_kills_largest(struct json_object *report)
{
	struct json_object *list = victims_of(report), *largest = NULL;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		bool along = field_true(victim, "along"), now = largest && field_true(largest, "along");

		if (!largest || (now && !along) ||
		    (now == along && is_larger(victim, largest)))
			largest = victim;
	}
	return largest;
}

/* Lower is better. */
static int rank_of(struct json_object *victim)
{
	return 2 * field_true(victim, "along") + field_true(victim, "node_ran_out");
}

struct json_object *oom_kills_first(struct json_object *report)
{
	struct json_object *list = victims_of(report), *first = NULL;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);

		if (!first || rank_of(victim) < rank_of(first))
			first = victim;
	}
	return first;
}

static double count_flagged(struct json_object *report, const char *flag)
{
	struct json_object *list = victims_of(report);
	double count = 0;

	for (size_t i = 0; i < field_length(list); i++)
		count += field_true(json_object_array_get_idx(list, i), flag);
	return count;
}

double oom_kills_along(struct json_object *report)
{
	return count_flagged(report, "along");
}

double oom_kills_of_node(struct json_object *report)
{
	return count_flagged(report, "node_ran_out");
}

const char *oom_kills_kernel_memory(struct json_object *victim)
{
	double kernel = fact_number(victim, "kernel_bytes"), slab = fact_number(victim, "slab_bytes");

	if (field_true(victim, "node_ran_out") || !(kernel >= MOST_PART * fact_number(victim, "limit_bytes")))
		return NULL;
	if (fact_number(victim, "page_table_bytes") >= MOST_PART * kernel)
		return "page tables";
	if (slab >= MOST_PART * kernel)
		return fact_number(victim, "names_bytes") >= NAMES_PART * slab ? "names and inodes of files" : "its small objects";
	return "stacks, sockets, page tables";
}
