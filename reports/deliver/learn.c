/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/learn.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/time_text.h"
#include "reports/builder/report_job.h"
#include "reports/deliver/learn_steps.h"
#include "reports/json/field.h"
#include "reports/json/job_state.h"
#include "reports/slurm/slurm_job.h"

#define SLURM_REMEMBERS_S 600 /* twice slurm.conf's MinJobAge, the time for which slurmctld knows an ended job */
#define NODES_MAX 65536 /* more than a job can have */

/*
 * Fills in the names that an epilog would have given the record: stintd does not wait for directory services, and only
 * the batch step gives the cluster's name.
 */
static void learn_names(struct writer_job *job)
{
	struct json_object *user = field_find(job->record, "user"), *identity = field_find(job->record, "identity");

	if (!job->slurm)
		return;
	if (user && !field_text(user, "name") && field_text(job->slurm, "user"))
		put_text(user, "name", field_text(job->slurm, "user"));
	if (identity && !field_text(identity, "cluster") && field_text(job->slurm, "cluster"))
		put_text(identity, "cluster", field_text(job->slurm, "cluster"));
	json_object_object_del(job->slurm, "cluster");
}

void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason)
{
	char id[16];

	snprintf(id, sizeof(id), "%u", job->identity.job_id);
	job->slurm = slurm_job(socket, id, reason);
	job->slurm_reason = reason->text;
	job->slurm_later = false;
	learn_names(job);
	job_settle_attempt(job->record, job->slurm, &job->identity);
}

static struct json_object *only_node(const char *name)
{
	struct json_object *nodes = json_object_new_array();

	json_object_array_add(nodes, json_object_new_string(name));
	return nodes;
}

/*
 * Whether the job gave this node back and goes on, or went on, without it (scontrol update NumNodes=). Then Slurm no
 * longer names it among the job's @nodes, and the node's own epilog names no other node.
 */
static bool is_given_back(const struct writer_job *job, struct json_object *nodes)
{
	int64_t closed;

	return field_length(nodes) > 0 && !part_set_has_node(nodes, job->identity.node) &&
	       record_nodes_at_start(job->record) > 1 &&
	       field_count(job->record, "collector.closed_unix_ns", &closed) && !job_is_later(job->slurm, closed);
}

/* Returns the job's nodes, the leading one first: Slurm's batch host is the first in Slurm's list. */
static struct json_object *find_nodes(struct writer_job *job, const char *socket, struct error *err)
{
	struct json_object *names = field_typed(job->slurm, "node_names", json_type_array);
	const char *list = field_text(job->record, "node_list");

	/* Slurm's answer may be about a later attempt, on other nodes. So the record's own list comes first. */
	if (list && strcmp(list, job->identity.node) == 0)
		return is_given_back(job, names) ? json_object_get(names) : only_node(list);
	if (list && *list && strcmp(list, field_text(job->slurm, "node_list") ?: "") != 0)
		return slurm_job_expand(socket, list, err);
	if (field_length(names) > 0)
		return json_object_get(names);
	return only_node(job->identity.node);
}

static int check_nodes(struct writer_job *job, struct error *err)
{
	int64_t at_start = record_nodes_at_start(job->record);
	size_t count;

	if (is_given_back(job, job->nodes)) {
		json_object_array_add(job->nodes, json_object_new_string(job->identity.node));
		job->nodes_unknown = true;
	}
	count = json_object_array_length(job->nodes);
	if (!job->nodes_unknown && at_start <= NODES_MAX && (size_t)at_start > count)
		job->given_back = at_start - count;
	if (part_set_has_node(job->nodes, job->identity.node))
		return 0;
	return error_set(err, "node %s is not one of the job's nodes", job->identity.node);
}

/*
 * Whether this node can do without Slurm's answer: it gives its part to the leading node, which asks. So slurmctld is
 * asked once for a job, however many nodes it has. @nodes: from the record's own list
 */
static bool leaves_asking(const struct writer_job *job, struct json_object *nodes)
{
	const char *leading;
	int64_t opened;

	if (!job->is_new || field_length(nodes) < 2)
		return false;
	leading = json_object_get_string(json_object_array_get_idx(nodes, 0));
	return leading && strcmp(leading, job->identity.node) != 0 && job->identity.attempt < 2 &&
	       !field_find(job->record, "epilogs_restarts") && field_count(job->record, "opened_unix_ns", &opened) &&
	       writer_knows_directory(job);
}

/*
 * Sets @job->nodes from Slurm's answer. While a job completes, slurmctld names only the nodes that are still completing
 * (job_mgr.c, _update_job_nodes_str()). Then the leading node, where the batch script ran, is enough: this node gives
 * it its part. The script of a requeued job ran on a node, too, but slurmctld has forgotten which. Returns whether the
 * nodes are enough.
 */
static bool take_nodes(struct writer_job *job)
{
	struct json_object *names = field_typed(job->slurm, "node_names", json_type_array);
	const char *leading = field_text(job->slurm, "batch_host");
	int64_t nodes, closed;

	if (field_count(job->record, "collector.closed_unix_ns", &closed) && job_is_later(job->slurm, closed)) {
		leading = "";
		names = NULL;
	}
	job->nodes_unknown = !field_count(job->slurm, "nodes", &nodes) || field_length(names) < (size_t)nodes;
	if (!job->nodes_unknown) {
		job->nodes = json_object_get(names);
	} else if (leading && strcmp(leading, job->identity.node) != 0) {
		job->nodes = only_node(leading);
		json_object_array_add(job->nodes, json_object_new_string(job->identity.node));
	}
	return job->nodes;
}

/* Whether slurmctld may still know the job, so that a retry makes sense. */
static bool is_remembered(const struct writer_job *job)
{
	int64_t closed;

	return field_count(job->record, "collector.closed_unix_ns", &closed) &&
	       (int64_t)clock_ns(CLOCK_REALTIME) < count_sum(closed, SLURM_REMEMBERS_S * NS_PER_S);
}

/* Whether no epilog reported the job: then only Slurm knows its user's name, and how it ended. */
static bool has_no_epilog(const struct writer_job *job)
{
	int64_t told;

	return field_count(job->record, "epilogs_restarts", &told) && told == 0;
}

/*
 * Whether the job goes on, also on this node, although its extern step has ended. stint_contain.so ends a job with its
 * extern step. A user can end that step alone, and a signal to all steps ends it, too.
 */
static bool goes_on(const struct writer_job *job)
{
	const char *state = field_text(job->slurm, "state");
	int64_t closed;

	return has_no_epilog(job) && state_runs(state) &&
	       !field_true(job->slurm, "completing") && field_count(job->record, "collector.closed_unix_ns", &closed) &&
	       !job_is_later(job->slurm, closed) &&
	       part_set_has_node(field_typed(job->slurm, "node_names", json_type_array), job->identity.node);
}

/*
 * Makes Slurm name the nodes of a record that does not name them. Returns 0, with @job->nodes not set if Slurm did not
 * answer for as long as it remembers an ended job; -1 with @err set: a retry may succeed.
 */
static int learn_nodes(struct writer_job *job, const char *socket, struct error *reason, struct error *err)
{
	static const time_t pauses_s[] = { 1, 2, 4 };

	for (size_t i = 0; job->slurm && !take_nodes(job) && i < sizeof(pauses_s) / sizeof(*pauses_s); i++) {
		nanosleep(&(struct timespec){ .tv_sec = pauses_s[i] }, NULL);
		json_object_put(job->slurm);
		learn_from_slurm(job, socket, reason);
	}
	if (!job->nodes && is_remembered(job))
		return error_set(err, "slurmctld does not say which nodes the job had (%s)",
				 job->slurm ? "some of them are done, others are not" : reason->text);
	return 0;
}

int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err)
{
	const char *list = field_text(job->record, "node_list");

	if (job->is_new && list && *list && strcmp(list, job->identity.node) != 0)
		job->nodes = slurm_job_expand(socket, list, err);
	job->slurm_later = leaves_asking(job, job->nodes);
	if (!job->slurm_later)
		learn_from_slurm(job, socket, reason);
	if (job->nodes_unknown && learn_nodes(job, socket, reason, err) < 0)
		return -1;
	if (!job->slurm && !job->slurm_later && has_no_epilog(job) && is_remembered(job))
		return error_set(err, "slurmctld does not say whose the job was, nor how it ended (%s)", reason->text);
	if (goes_on(job))
		return error_set(err, "the job goes on, though its extern step has ended: its report waits for its end");
	if (!job->nodes)
		job->nodes = find_nodes(job, socket, err);
	if (!job->nodes || check_nodes(job, err) < 0)
		return -1;
	learn_steps(job);
	return 0;
}
