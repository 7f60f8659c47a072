/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attempts of a job, each with a writer (node.h). Include this after cmocka.h. */
#ifndef STINT_ATTEMPT_NODE_H
#define STINT_ATTEMPT_NODE_H

#include "tests/unit/reports/node.h"

/* A job of one node, n1, and one attempt. */
static inline void start_attempt(struct node *node, int attempt)
{
	start(node, "record-two-n1.json");
	node->job.record->identity.attempt = attempt;
	node->job.identity.attempt = attempt;
	node->job.nodes = (struct report_texts){ 0 };
	add_node(node, "n1");
	node->job.slurm = NULL;
	node->job.slurm_reason = "no Slurm here";
}

static inline void deliver_attempt(int attempt)
{
	struct node node;

	start_attempt(&node, attempt);
	assert_int_equal(deliver(&node), WRITER_DONE);
	finish(&node);
}

static inline void assert_attempt(const char *name, int64_t attempt)
{
	cleanup_json struct json_object *json = report_at(name);

	assert_int_equal(json_object_get_int64(field_find(json, "job.attempt")), attempt);
}

#endif
