/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One node's writer in a directory of the test, for the tests of its output. Include this after cmocka.h. */
#ifndef STINT_REPORTS_NODE_H
#define STINT_REPORTS_NODE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/deliver/writer.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "tests/unit/reports/asserts.h"

struct node {
	struct writer_job job;
	struct writer_place place;
};

/*
 * A notary whose credentials are "UID:TEXT", and authentic if they begin with a uid.
 * A test can act as any user with them.
 */
static uid_t notary_uid;
static bool notary_fails;

static inline char *notary_seal(const struct notary *notary, const char *text, struct error *err)
{
	char *credential = NULL;

	(void)notary;
	if (asprintf(&credential, "%u:%s", notary_uid, text) >= 0)
		return credential;
	error_set(err, "out of memory");
	return NULL;
}

static inline char *notary_open(const struct notary *notary, const char *credential, uid_t *uid, struct error *err)
{
	char *text;
	int begin = 0;

	(void)notary;
	if (notary_fails) {
		error_set(err, "munged does not answer");
		return NULL;
	}
	if (sscanf(credential, "%u:%n", uid, &begin) != 1 || !begin) {
		error_set(err, "not authentic");
		return NULL;
	}
	text = strdup(credential + begin);
	if (!text)
		error_set(err, "out of memory");
	return text;
}

static const struct notary notary = { notary_seal, notary_open, "" };

static char directory[] = "/tmp/stint-writer-XXXXXX";
static struct conf conf;
static struct json_object *slurm, *node_names;

static inline int set_up(void **state)
{
	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	conf_defaults(&conf);
	conf.merge_wait_s = 0;
	slurm = load("slurm-two.json");
	node_names = json_object_get(field_find(slurm, "node_names"));
	return 0;
}

static inline int tear_down(void **state)
{
	char command[128];

	(void)state;
	json_object_put(slurm);
	json_object_put(node_names);
	snprintf(command, sizeof(command), "rm -rf %s %s.kept", directory, directory);
	return system(command);
}

static inline void add_node(struct node *node, const char *name)
{
	struct report *memory = record_memory(node->job.record);

	report_add_text(memory, &node->job.nodes, report_copy(memory, name));
}

static inline void start(struct node *node, const char *record_name)
{
	cleanup_json struct json_object *record = load(record_name);
	struct error err = { "" };

	put_text(record, "work_dir", directory);
	memset(node, 0, sizeof(*node));
	node->job.conf = &conf;
	node->job.record = record_of(record);
	node->job.answer = answer_of(slurm);
	node->job.slurm = slurm_answer_job(node->job.answer);
	for (size_t i = 0; i < field_length(node_names); i++)
		add_node(node, json_object_get_string(json_object_array_get_idx(node_names, i)));
	node->job.mode = 0644;
	node->job.notary = &notary;
	assert_int_equal(record_identify(node->job.record, "record", &node->job.identity, &err), 0);
	if (writer_seal(&node->job, &err) < 0)
		fail_msg("%s", err.text);
	if (writer_open(&node->job, &node->place, &err) < 0)
		fail_msg("%s", err.text);
}

static inline int open_again(struct node *node, struct error *err)
{
	node_records_free(node->place.records);
	close(node->place.dirfd);
	return writer_open(&node->job, &node->place, err);
}

static inline void finish(struct node *node)
{
	free(node->job.part);
	node_records_free(node->place.records);
	slurm_answer_free(node->job.answer);
	record_free(node->job.record);
	close(node->place.dirfd);
}

static inline enum writer_result deliver(struct node *node)
{
	struct error err = { "" };
	enum writer_result result = writer_deliver(&node->job, &node->place, &err);

	if (result == WRITER_FAILED)
		fail_msg("%s", err.text);
	return result;
}

static inline char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static inline struct report *report_in(const char *name)
{
	struct error err = { "" };
	struct report *report = report_load(path_of(name), NULL, &err);

	if (!report)
		fail_msg("%s", err.text);
	return report;
}

static inline struct json_object *report_at(const char *name)
{
	return report_into_objects(report_in(name));
}

static inline struct json_object *report(void)
{
	return report_at("stint-77.json");
}

static inline void assert_report(bool complete, const char *gap)
{
	cleanup_json struct json_object *json = report();
	struct json_object *gaps = field_find(json, "gaps");

	assert_int_equal(field_true(json, "complete"), complete);
	if (gap)
		assert_non_null(strstr(field_text(json_object_array_get_idx(gaps, 0), "reason"), gap));
	else
		assert_int_equal(field_length(gaps), 0);
}

static inline bool is_there(const char *name)
{
	struct stat st;

	return lstat(path_of(name), &st) == 0;
}

static inline void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

#endif
