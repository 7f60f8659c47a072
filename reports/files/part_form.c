/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/part_form.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "reports/json/smaller.h"

#define PART_BYTES (UINT64_C(24) << 20) /* bytes of a part, for lists whose limits do not depend on the number of nodes */
#define SHARED_BYTES (UINT64_C(128) << 20) /* bytes for lists whose limits shrink with more nodes; the nodes share these bytes */
#define NODE_BYTES (UINT64_C(256) << 10) /* each node adds this to the limit for all parts together */
#define WEIGHT_MAX (UINT64_C(768) << 20)
#define RECORD_MEMORY ((size_t)64 << 20) /* for one record, besides its text; the longest lists of a node need 48 MiB */
#define DENSEST 1024 /* the most bytes of memory for one byte of text: "{}," is enough for an entry of a list */
#define TEXT_BYTES 65536
#define WIDE_NODES 64
#define ONE_MORE(...) +1
#define COLUMNS (5 SUM_LIST_OF_ENTRY(ONE_MORE)) /* columns of a series, including the times of its points */

#define CORES_MAX 2048
#define PUS_MAX 4096 /* of all cores */
#define FILE_SYSTEMS_MAX 8192
#define FILES_MAX (RECORD_FILES_MAX + 64)
#define POINTS_MAX (COLUMNS * RECORD_POINTS_MAX) /* of all columns */
#define NODES_MAX 65536

size_t part_form_share(size_t all, size_t nodes)
{
	return all > nodes ? all / nodes : 1;
}

/* Beyond WIDE_NODES, the number of entries of all nodes together falls with the square root of the nodes. */
size_t part_form_kept(size_t all, size_t nodes)
{
	size_t share = part_form_share(all, nodes), kept = share;

	while (nodes > WIDE_NODES && kept > 1 && kept * kept * nodes > share * share * WIDE_NODES)
		kept--;
	return kept;
}

struct part_bounds part_form_begin(size_t nodes)
{
	return (struct part_bounds){ nodes, SHARED_BYTES + PART_BYTES + nodes * NODE_BYTES, WEIGHT_MAX };
}

size_t part_form_bytes(const struct part_bounds *bounds)
{
	size_t bytes = PART_BYTES + SHARED_BYTES / (bounds->nodes ? bounds->nodes : 1);

	return bytes < bounds->bytes ? bytes : bounds->bytes;
}

void part_form_count(struct part_bounds *bounds, size_t len)
{
	bounds->bytes -= smaller(len, bounds->bytes);
}

/* ---- one part ---- */

static size_t count_pus(const struct record_core_list *cores)
{
	size_t count = 0;

	for (size_t i = 0; i < cores->count; i++)
		count += cores->items[i].pus.count;
	return count;
}

static size_t count_tasks(const struct record_step_list *steps)
{
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++)
		count += steps->items[i].tasks.count;
	return count;
}

static size_t count_gpu_items(const struct record_gpu_list *gpus)
{
	size_t count = 0;

	for (size_t i = 0; i < gpus->count; i++)
		count += gpus->items[i].xids.count + gpus->items[i].processes.count + gpus->items[i].absent.count;
	return count;
}

static size_t count_gpu_files(const struct record_gpu_file_list *files)
{
	size_t count = files->count;

	for (size_t i = 0; i < files->count; i++)
		count += files->items[i].tools.count;
	return count;
}

static size_t count_points(const struct record_series *series)
{
	const struct report_object *columns = record_table_columns();
	size_t count = series->end_offsets_ns.count;

	for (size_t i = 0; i < columns->count; i++)
		count += ((const struct report_counts *)((const char *)&series->columns + columns->fields[i].offset))->count;
	return count;
}

static int refuse(const char *name, const char *what, const char *list, struct error *err)
{
	error_set(err, "%s: %s than a node records for a job%s%s", name, what, list ? ": " : "", list ? list : "");
	errno = EFBIG;
	return -1;
}

static int check_lists(const struct record *record, size_t nodes, const char *name, struct error *err)
{
	const struct {
		const char *name;
		size_t count, most;
	} lists[] = {
		{ "gaps", record->gaps.count, RECORD_GAPS_MAX },
		{ "lost", record->lost.count, RECORD_LOST_MAX },
		{ "cores", record->allocated.cores.count, CORES_MAX },
		{ "pus", count_pus(&record->allocated.cores), PUS_MAX },
		{ "steps", record->steps.count + record->slurm_job.steps_timed_out.count, RECORD_STEPS_MAX },
		{ "tasks", count_tasks(&record->steps), RECORD_TASKS_MAX },
		{ "file_systems", record->file_systems.count, FILE_SYSTEMS_MAX },
		/* the files with the most bytes, and as many with the most opens */
		{ "files", record->files.count, smaller(FILES_MAX, 2 * part_form_share(PART_FORM_FILES, nodes)) },
		{ "oom", record->oom.count, RECORD_OOM_MAX },
		{ "gpus", record->gpus.count, RECORD_GPUS_MAX },
		{ "gpus", count_gpu_items(&record->gpus), RECORD_GPU_ITEMS_MAX },
		{ "gpu_files", count_gpu_files(&record->gpu_files), RECORD_GPU_FILES_MAX },
		{ "series", count_points(&record->series),
		  smaller(POINTS_MAX, COLUMNS * part_form_share(PART_FORM_SERIES_POINTS, nodes)) },
		{ "stalls", record->progress.stalls.count, RECORD_STALLS_MAX },
		{ "tools", record->tools.count, RECORD_TOOLS_MAX },
		{ "containers", record->containers.count, RECORD_CONTAINERS_MAX },
		{ "timeline", record->timeline.count, part_form_share(PART_FORM_TIMELINE_ENTRIES, nodes) },
		{ "node_names", record->slurm_job.node_names.count, NODES_MAX },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i].count > lists[i].most)
			return refuse(name, "it lists more entries", lists[i].name, err);
	return 0;
}

struct record *part_form_read(char *text, size_t len, struct part_bounds *bounds, const char *name,
			      struct record_identity *identity, struct error *err)
{
	size_t left = bounds->weight - smaller(len, bounds->weight);
	const struct record_bounds most = { smaller(left, RECORD_MEMORY), TEXT_BYTES };
	struct record *record = NULL;
	int saved;

	errno = EFBIG;
	if (left)
		record = record_read(text, len, &most, name, identity, err);
	else
		free(text);
	if (!record && errno == EFBIG)
		refuse(name, "it contains more", NULL, err);
	/* The memory of a refused part is not known: count the most that its text can need. */
	left -= smaller(record ? record_bytes(record) : smaller(most.memory, len * DENSEST), left);
	bounds->weight = left;
	if (!record || check_lists(record, bounds->nodes, name, err) == 0)
		return record;
	saved = errno;
	record_free(record);
	errno = saved;
	return NULL;
}
