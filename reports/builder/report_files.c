/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/builder/report_file_systems.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"

#define FILES_MAX 50 /* FILES_MAX with the most bytes, and FILES_MAX with the most opens */

enum { OPENS, READS, WRITES, READ_BYTES, WRITE_BYTES, FIELDS };

struct file {
	const char *path, *type; /* "" if unknown; path, type and node are borrowed from a record */
	const char *node;        /* "" for a file on a network file system */
	int64_t of[FIELDS];
	int64_t bytes;
	size_t record; /* the record that has the file; index is the file's place in this record */
	size_t index;
	bool kept;
};

static int compare_identity(const void *a, const void *b)
{
	const struct file *one = a, *other = b;
	int order = strcmp(one->path, other->path);

	if (!order)
		order = strcmp(one->type, other->type);
	if (!order)
		order = strcmp(one->node, other->node);
	return order;
}

static int compare_identity_and_record(const void *a, const void *b)
{
	const struct file *one = a, *other = b;
	int order = compare_identity(a, b);

	return order ? order : one->record < other->record ? -1 : one->record > other->record;
}

static int compare_bytes(const void *a, const void *b)
{
	const struct file *one = a, *other = b;

	if (one->bytes != other->bytes)
		return one->bytes > other->bytes ? -1 : 1;
	if (one->of[OPENS] != other->of[OPENS])
		return one->of[OPENS] > other->of[OPENS] ? -1 : 1;
	return compare_identity(a, b);
}

static int compare_opens(const void *a, const void *b)
{
	const struct file *one = a, *other = b;

	if (one->of[OPENS] != other->of[OPENS])
		return one->of[OPENS] > other->of[OPENS] ? -1 : 1;
	return compare_bytes(a, b);
}

static int compare_indexes(const void *a, const void *b)
{
	const struct file *one = a, *other = b;

	return one->index < other->index ? -1 : one->index > other->index;
}

static void read_file(const struct record_file *from, struct file *file)
{
	*file = (struct file){ .path = from->path ? from->path : "", .type = from->type ? from->type : "" };
	take_count(from->opens, &file->of[OPENS]);
	take_count(from->reads, &file->of[READS]);
	take_count(from->writes, &file->of[WRITES]);
	take_count(from->read_bytes, &file->of[READ_BYTES]);
	take_count(from->write_bytes, &file->of[WRITE_BYTES]);
	file->bytes = count_sum(file->of[READ_BYTES], file->of[WRITE_BYTES]);
}

/* Marks the @max files with the most bytes, and the @max files with the most opens. Sorts by bytes. */
static void keep_top(struct file *files, size_t count, size_t max)
{
	qsort(files, count, sizeof(*files), compare_opens);
	for (size_t i = 0; i < count && i < max; i++)
		files[i].kept = true;
	qsort(files, count, sizeof(*files), compare_bytes);
	for (size_t i = 0; i < count && i < max; i++)
		files[i].kept = true;
}

static size_t collect_files(const struct record *const records[], size_t count, struct file *files)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < records[i]->files.count; f++) {
			struct file *file = &files[used++];
			bool shared;

			read_file(&records[i]->files.items[f], file);
			shared = strcmp(file_systems_class(file->type), "network") == 0;
			file->node = shared ? "" : record_node(records[i]);
			file->record = i;
		}
	return used;
}

static void join_file(struct file *file, const struct file *other)
{
	for (size_t k = 0; k < FIELDS; k++)
		file->of[k] = count_sum(file->of[k], other->of[k]);
	file->bytes = count_sum(file->bytes, other->bytes);
}

/*
 * Merges the entries of each file. Returns how many entries are left.
 * @distinct: set to the number of files. If a node had several files of one path, one after the other, each counts.
 */
static size_t join_files(struct file *files, size_t used, int64_t *distinct)
{
	size_t kept = 0, most = 0, here = 0;

	*distinct = 0;
	qsort(files, used, sizeof(*files), compare_identity_and_record);
	for (size_t i = 0; i < used; i++) {
		bool same = kept > 0 && *files[i].path && compare_identity(&files[kept - 1], &files[i]) == 0;

		here = same && files[i].record == files[i - 1].record ? here + 1 : 1;
		if (!same)
			most = 0;
		if (here > most) {
			most = here;
			(*distinct)++;
		}
		if (same)
			join_file(&files[kept - 1], &files[i]);
		else
			files[kept++] = files[i];
	}
	return kept;
}

static void put_file(const struct file *file, bool name_node, struct report *report)
{
	struct report_file *out = REPORT_ADD(report, &report->files, file);

	if (*file->path)
		out->path = report_copy(report, file->path);
	out->type = report_copy(report, file->type);
	if (name_node && *file->node)
		out->node = report_copy(report, file->node);
	out->opens = file->of[OPENS];
	out->reads = file->of[READS];
	out->writes = file->of[WRITES];
	out->read_bytes = file->of[READ_BYTES];
	out->write_bytes = file->of[WRITE_BYTES];
}

/*
 * For one node, takes the count of the record.
 * For several nodes, counts the files in their lists, if all lists are complete.
 */
static void put_count_of_files(const struct record *const records[], size_t count, int64_t distinct, struct making *making)
{
	if (count == 1) {
		making->report->files_count = records[0]->files_count;
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (records[i]->files_count < 0 || (uint64_t)records[i]->files_count > records[i]->files.count) {
			making_gapf(making, "files_count",
				    "%s: the record does not name all files, so it is not known which of them other nodes used, too",
				    record_node(records[i]));
			return;
		}
	making->report->files_count = distinct;
}

/* Adds a gap if only some nodes counted files. If no node counted files, the site may not want these counts. */
static bool all_count(const struct record *const records[], size_t count, struct making *making)
{
	const char *lacking = NULL;
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (records[i]->files.known)
			known++;
		else if (!lacking)
			lacking = record_node(records[i]);
	}
	if (known > 0 && lacking)
		making_gapf(making, "files", "%s: files were not counted there", lacking);
	return known > 0 && !lacking;
}

void files_put(const struct record *const records[], size_t count, struct making *making)
{
	cleanup_free struct file *files = NULL;
	size_t room = 0, used;
	int64_t distinct;

	if (!all_count(records, count, making))
		return;
	for (size_t i = 0; i < count; i++)
		room += records[i]->files.count;
	files = calloc(room + 1, sizeof(*files));
	if (!files) {
		report_lacked(making->report);
		return;
	}
	used = join_files(files, collect_files(records, count, files), &distinct);
	keep_top(files, used, FILES_MAX);
	making->report->files.known = true;
	for (size_t i = 0; i < used; i++)
		if (files[i].kept)
			put_file(&files[i], count > 1, making->report);
	put_count_of_files(records, count, distinct, making);
}

void files_trim(struct record *record, size_t max)
{
	struct record_file_list *list = &record->files;
	size_t count = list->count, left = 0;
	cleanup_free struct file *files = NULL;

	if (count <= max)
		return;
	files = calloc(count, sizeof(*files));
	if (!files) {
		report_lacked(record_memory(record));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		read_file(&list->items[i], &files[i]);
		files[i].node = "";
		files[i].index = i;
	}
	keep_top(files, count, max);
	qsort(files, count, sizeof(*files), compare_indexes);
	for (size_t i = 0; i < count; i++)
		if (files[i].kept)
			list->items[left++] = list->items[i];
	list->count = left;
	if (left < count)
		record_add_gapf(record, "files",
				"the report keeps %zu of %zu files, those with the most bytes and opens: it keeps no more of one node",
				left, count);
}
