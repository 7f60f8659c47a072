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
#include "reports/records/record_parts.h"
#include "reports/slurm/slurm_job.h"

#define SLURM_REMEMBERS_S 600 /* twice the default of MinJobAge (slurm.conf) */
#define NODES_MAX 65536 /* more than a job can have */

/* Adds names that stintd does not know. stintd asks no directory service, and only the batch step tells the cluster. */
static void learn_names(struct writer_job *job)
{
	struct report *memory = record_memory(job->record);

	if (!job->slurm)
		return;
	if (!job->record->user.name)
		job->record->user.name = report_copy(memory, job->slurm->user);
	if (!job->record->identity.cluster)
		job->record->identity.cluster = report_copy(memory, job->slurm->cluster);
	job->slurm->cluster = NULL;
}

void learn_from_slurm(struct writer_job *job, const char *socket, struct error *reason)
{
	char id[16];

	snprintf(id, sizeof(id), "%u", job->identity.job_id);
	slurm_answer_free(job->answer);
	job->answer = slurm_job(socket, id, reason);
	job->slurm = slurm_answer_job(job->answer);
	job->slurm_reason = reason->text;
	job->slurm_later = false;
	learn_names(job);
	job_settle_attempt(job->record, job->slurm, &job->identity);
}

/* Copies the name, because the text may belong to Slurm's answer. */
static void add_node(struct writer_job *job, const char *name)
{
	struct report *memory = record_memory(job->record);

	report_add_text(memory, &job->nodes, report_copy(memory, name));
}

static void set_nodes(struct writer_job *job, const struct report_texts *names)
{
	job->nodes = (struct report_texts){ 0 };
	for (size_t i = 0; i < names->count; i++)
		add_node(job, names->items[i]);
}

/*
 * Returns true if the job gave this node back (scontrol update NumNodes=). Slurm then no longer names this node. The
 * node's own epilog names no other node.
 */
static bool is_given_back(const struct writer_job *job, const struct report_texts *nodes)
{
	int64_t closed = job->record->collector.closed_unix_ns;

	return nodes->count > 0 && !part_set_has_node(nodes, job->identity.node) && record_nodes_at_start(job->record) > 1 &&
	       closed >= 0 && !job_is_later(job->slurm, closed);
}

/* Finds the job's nodes. The leading node, Slurm's batch host, is the first. Returns 0; -1 with @err set. */
static int find_nodes(struct writer_job *job, const char *socket, struct error *err)
{
	const struct record_slurm_job *slurm = slurm_job_or_unknown(job->slurm);
	const char *list = job->record->node_list;
	bool alone = report_text_is(list, job->identity.node);

	/* Slurm's answer may be about a later attempt. */
	if (!alone && list && *list && strcmp(list, slurm->node_list ?: "") != 0)
		return slurm_job_expand(socket, list, record_memory(job->record), &job->nodes, err);
	if (alone ? is_given_back(job, &slurm->node_names) : slurm->node_names.count > 0)
		set_nodes(job, &slurm->node_names);
	else
		add_node(job, job->identity.node);
	return 0;
}

static int check_nodes(struct writer_job *job, struct error *err)
{
	int64_t at_start = record_nodes_at_start(job->record);

	if (is_given_back(job, &job->nodes)) {
		add_node(job, job->identity.node);
		job->nodes_unknown = true;
	}
	if (!job->nodes_unknown && at_start <= NODES_MAX && (size_t)at_start > job->nodes.count)
		job->given_back = at_start - job->nodes.count;
	if (report_lacks_memory(record_memory(job->record)))
		return error_set(err, "out of memory");
	if (part_set_has_node(&job->nodes, job->identity.node))
		return 0;
	return error_set(err, "node %s is not one of the job's nodes", job->identity.node);
}

/*
 * Returns true if only the leading node needs to ask Slurm. So slurmctld is asked once for each job. The record must
 * have the list of nodes.
 */
static bool leaves_asking(const struct writer_job *job)
{
	if (!job->is_new || job->nodes.count < 2)
		return false;
	return job->nodes.items[0] && !writer_leads(job) && job->identity.attempt < 2 && job->record->epilogs_restarts < 0 &&
	       job->record->opened_unix_ns >= 0 && writer_knows_directory(job);
}

/*
 * Takes the nodes from Slurm's answer. Returns true if the nodes are enough.
 *
 * While a job completes, slurmctld names only nodes that are completing (job_mgr.c, _update_job_nodes_str()). Then the
 * leading node is enough. For a requeued job, slurmctld has forgotten the leading node.
 */
static bool take_nodes(struct writer_job *job)
{
	static const struct report_texts none;
	const struct report_texts *names = &job->slurm->node_names;
	const char *leading = job->slurm->batch_host;
	int64_t closed = job->record->collector.closed_unix_ns, nodes = job->slurm->nodes;

	if (closed >= 0 && job_is_later(job->slurm, closed)) {
		leading = "";
		names = &none;
	}
	job->nodes_unknown = nodes < 0 || names->count < (size_t)nodes;
	if (!job->nodes_unknown) {
		set_nodes(job, names);
	} else if (leading && strcmp(leading, job->identity.node) != 0) {
		set_nodes(job, &none);
		add_node(job, leading);
		add_node(job, job->identity.node);
	}
	return job->nodes.count;
}

static bool is_remembered(const struct writer_job *job)
{
	int64_t closed = job->record->collector.closed_unix_ns;

	return closed >= 0 && (int64_t)clock_ns(CLOCK_REALTIME) < count_sum(closed, SLURM_REMEMBERS_S * NS_PER_S);
}

/* Returns true if no epilog came. Then only Slurm knows the user's name, and how the job ended. */
static bool has_no_epilog(const struct writer_job *job)
{
	return job->record->epilogs_restarts == 0;
}

/*
 * Returns true if the job continues after its extern step. For stint_contain.so, the job ends with its extern step. But
 * a user can end the extern step alone.
 */
static bool goes_on(const struct writer_job *job)
{
	const struct record_slurm_job *slurm = slurm_job_or_unknown(job->slurm);
	int64_t closed = job->record->collector.closed_unix_ns;

	return has_no_epilog(job) && state_runs(slurm->state) && !slurm->completing && closed >= 0 &&
	       !job_is_later(slurm, closed) && part_set_has_node(&slurm->node_names, job->identity.node);
}

/*
 * Takes the nodes from Slurm's answer, and asks again if necessary.
 * Returns -1 with @err set while slurmctld may still tell the nodes. In all other cases returns 0, even if the nodes
 * are not known.
 */
static int learn_nodes(struct writer_job *job, const char *socket, struct error *reason, struct error *err)
{
	static const time_t pauses_s[] = { 1, 2, 4 };

	for (size_t i = 0; job->slurm && !take_nodes(job) && i < sizeof(pauses_s) / sizeof(*pauses_s); i++) {
		nanosleep(&(struct timespec){ .tv_sec = pauses_s[i] }, NULL);
		learn_from_slurm(job, socket, reason);
	}
	if (!job->nodes.count && is_remembered(job))
		return error_set(err, "slurmctld does not say which nodes the job had (%s)",
				 job->slurm ? "only some of the nodes have finished the job" : reason->text);
	return 0;
}

int learn_job(struct writer_job *job, const char *socket, struct error *reason, struct error *err)
{
	const char *list = job->record->node_list;

	if (job->is_new && list && *list && strcmp(list, job->identity.node) != 0)
		slurm_job_expand(socket, list, record_memory(job->record), &job->nodes, err);
	job->slurm_later = leaves_asking(job);
	if (!job->slurm_later)
		learn_from_slurm(job, socket, reason);
	if (job->nodes_unknown && learn_nodes(job, socket, reason, err) < 0)
		return -1;
	if (!job->slurm && !job->slurm_later && has_no_epilog(job) && is_remembered(job))
		return error_set(err, "slurmctld does not say who owned the job, nor how it ended (%s)", reason->text);
	if (goes_on(job))
		return error_set(err, "the job continues although its extern step has ended: its report waits for the job's end");
	if (!job->nodes.count && find_nodes(job, socket, err) < 0)
		return -1;
	if (check_nodes(job, err) < 0)
		return -1;
	learn_steps(job);
	if (job->answer && report_lacks_memory(job->answer->memory))
		return error_set(err, "out of memory");
	return 0;
}
