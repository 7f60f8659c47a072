/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a store of batches for the tests of stint-site, from record fixtures.
 *
 *   batches DIRECTORY JOBS LINES RECORD SLURM RECORD1 RECORD2 SLURM2
 *
 * The jobs run within 30 days from BATCHES_BEGIN on, seconds since 1970.
 * Each job is a variation of a fixture. Every seventh has two nodes; its second node has nothing of Slurm's.
 * The same arguments make the same bytes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"

#define NS_PER_S INT64_C(1000000000)
#define NODES 24
#define BEGIN "1761955200" /* 2025-11-01 UTC */

struct node {
	char *lines;
	size_t size;
	int count, sequence;
};

static struct node nodes[NODES];
static const char *directory;
static int lines_max;
static uint64_t state = 88172645463325252;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void die(const char *what)
{
	fprintf(stderr, "batches: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void seal(int number)
{
	struct node *node = &nodes[number];
	char path[4096];
	FILE *out;

	if (!node->count)
		return;
	node->sequence++;
	snprintf(path, sizeof(path), "%s/new/%02x", directory, (unsigned int)(number * 37 + node->sequence * 11) & 0xff);
	if (mkdir(path, 0750) < 0 && errno != EEXIST)
		die(path);
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/n%d.5f1f2a6e0d2e.%010d.ndjson", number, node->sequence);
	out = fopen(path, "w");
	if (!out)
		die(path);
	fprintf(out, "{\"store_batch\":1,\"cluster\":\"foocluster\",\"node\":\"n%d\",\"boot\":\"5f1f2a6e0d2e\",\"sequence\":%d,"
		     "\"sealed\":\"2025-%s-03T00:00:00Z\",\"lines\":%d,\"dropped\":0}\n",
		number, node->sequence, node->sequence % 2 ? "11" : "12", node->count);
	fwrite(node->lines, 1, node->size, out);
	if (fclose(out) != 0)
		die(path);
	free(node->lines);
	*node = (struct node){ .sequence = node->sequence };
}

static void add(int number, const char *line, size_t length)
{
	struct node *node = &nodes[number];

	node->lines = realloc(node->lines, node->size + length);
	if (!node->lines)
		die("memory");
	memcpy(node->lines + node->size, line, length);
	node->size += length;
	if (++node->count == lines_max)
		seal(number);
}

static void put(struct json_object *object, const char *name, int64_t value)
{
	if (object && json_object_object_get_ex(object, name, NULL))
		json_object_object_add(object, name, json_object_new_int64(value));
}

static void move(struct json_object *value, int64_t shift)
{
	if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			move(json_object_array_get_idx(value, i), shift);
	} else if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, inner) {
			int64_t number = json_object_get_int64(inner);
			size_t length = strlen(name);

			if (!json_object_is_type(inner, json_type_int))
				move(inner, shift);
			else if (length > 8 && strcmp(name + length - 8, "_unix_ns") == 0)
				json_object_set_int64(inner, number + shift * NS_PER_S);
			else if (length > 7 && strcmp(name + length - 7, "_unix_s") == 0)
				json_object_set_int64(inner, number + shift);
		}
	}
}

static struct json_object *copy(struct json_object *from)
{
	return json_tokener_parse(json_object_to_json_string(from));
}

static const char *text_of(struct json_object *json)
{
	return json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
}

static char *make_line(struct json_object *json, struct json_object *slurm, size_t *length, struct error *err)
{
	struct record_identity identity;
	cleanup_record struct record *record = record_parse(text_of(json), strlen(text_of(json)), "record", &identity, err);
	char *said = slurm ? strdup(text_of(slurm)) : NULL;
	cleanup_answer struct slurm_answer *answer = said ? slurm_answer_read(said, strlen(said), "slurm", err) : NULL;

	return record && (answer || !slurm) ? store_line_make(record, slurm_answer_job(answer), true, length, err) : NULL;
}

static void write_line(struct json_object *record, struct json_object *slurm, int number)
{
	struct error err = { "" };
	size_t length;
	char *line = make_line(record, slurm, &length, &err);

	if (!line) {
		fprintf(stderr, "batches: %s\n", err.text);
		exit(1);
	}
	add(number, line, length);
	free(line);
}

/* Each fifth job has GPUs: of a type or not, and seen in use or not. Their numbers follow from the job's. */
static void add_gpus(int64_t id, struct json_object *record, struct json_object *slurm)
{
	char text[400];

	if (id % 5)
		return;
	json_object_object_add(slurm, "gpus", json_object_new_int64(1 + id / 5 % 3));
	snprintf(text, sizeof(text), "[{\"kind\": \"gpu\", \"type\": \"a%d00\", \"count\": %d}]", (int)(id / 10 % 3), (int)(1 + id / 5 % 3));
	if (id % 10)
		json_object_object_add(slurm, "gpus_allocated", json_tokener_parse(text));
	snprintf(text, sizeof(text),
		 "[{\"vendor\": \"nvidia\", \"model\": \"NVIDIA %d\", \"minor\": 3, \"used\": true, \"busy\": {\"busy_ns\": %d000000, "
		 "\"known_ns\": 90000000, \"covered_ns\": 90000000, \"counted_ns\": 90000000}, \"absent\": []}]",
		 (int)(id / 10 % 2), (int)(id % 90));
	if (id % 15)
		json_object_object_add(record, "gpus", json_tokener_parse(text));
}

static void make_job(int64_t id, struct json_object *const *records, size_t count, struct json_object *slurm_from)
{
	static const char *const users[] = { "ada", "ben", "cyn", "'; DROP TABLE job; --", "=cmd|' /C calc'!A0", "\033[31mred" };
	static const char *const states[] = { "COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED" };
	struct json_object *slurm = copy(slurm_from);
	int64_t opened = 0, shift;
	int first = (int)draw(NODES - 1);
	const char *user = users[draw(6)];
	char node[16], list[40], account[16];

	field_count(records[0], "opened_unix_ns", &opened);
	shift = strtoll(getenv("BATCHES_BEGIN") ? getenv("BATCHES_BEGIN") : BEGIN, NULL, 10);
	shift += (int64_t)draw(30 * 86400) - opened / NS_PER_S;
	move(slurm, shift);
	json_object_object_add(slurm, "user", json_object_new_string(user));
	snprintf(account, sizeof(account), "lab%d", (int)draw(4));
	json_object_object_add(slurm, "account", json_object_new_string(account));
	json_object_object_add(slurm, "state", json_object_new_string(states[draw(6)]));
	put(slurm, "job_id", id);
	put(slurm, "array_job_id", id);
	if (count > 1)
		snprintf(list, sizeof(list), "n[%d-%d]", first, first + 1);
	else
		snprintf(list, sizeof(list), "n%d", first);
	for (size_t i = 0; i < count; i++) {
		struct json_object *record = copy(records[i]), *identity = field_find(record, "identity");

		move(record, shift);
		put(identity, "job_id", id);
		put(identity, "array_job_id", id);
		snprintf(node, sizeof(node), "n%d", first + (int)i);
		json_object_object_add(identity, "node", json_object_new_string(node));
		json_object_object_add(field_find(record, "user"), "name", json_object_new_string(user));
		json_object_object_add(record, "node_list", json_object_new_string(list));
		if (i == 0)
			json_object_object_add(slurm, "batch_host", json_object_new_string(node));
		add_gpus(id, record, slurm);
		write_line(record, i ? NULL : slurm, first + (int)i);
		json_object_put(record);
	}
	json_object_put(slurm);
}

int main(int argc, char *argv[])
{
	struct json_object *files[5];
	char path[4096];
	long jobs;

	if (argc != 9)
		return 2;
	directory = argv[1];
	jobs = strtol(argv[2], NULL, 10);
	lines_max = (int)strtol(argv[3], NULL, 10);
	for (int i = 0; i < 5; i++) {
		files[i] = json_object_from_file(argv[4 + i]);
		if (!files[i])
			die(argv[4 + i]);
	}
	if (mkdir(directory, 0750) < 0 && errno != EEXIST)
		die(directory);
	snprintf(path, sizeof(path), "%s/new", directory);
	if (mkdir(path, 0750) < 0 && errno != EEXIST)
		die(path);
	for (long i = 0; i < jobs; i++) {
		struct json_object *const two[] = { files[2], files[3] };

		/* Some ids come again, with another submit time. */
		if (i % 7 == 6)
			make_job(1000 + i / 7 % 50, two, 2, files[4]);
		else
			make_job(100000 + i, files, 1, files[1]);
	}
	for (int i = 0; i < NODES; i++)
		seal(i);
	for (int i = 0; i < 5; i++)
		json_object_put(files[i]);
	return 0;
}
