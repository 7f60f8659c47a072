/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/slurm_job/job_json.h"

#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/utf8.h"
#include "spank/slurm_job/array_tasks.h"
#include "spank/slurm_job/gpus.h"
#include "spank/slurm_job/slurm_compat.h"
#include "spank/slurm_job/tres.h"

#define MIB (1024ull * 1024)
#define TEXT_MAX 4096 /* bytes; no path is longer */
#define ROW_NAME_MAX 1024 /* bytes; small, because an answer may have many rows. Names in slurmdbd have 255 at most. */

static void add_known(struct json_object *object, const char *name, uint32_t value)
{
	if (value != NO_VAL && value != INFINITE)
		put_count(object, name, value);
}

static void add_time(struct json_object *object, const char *name, time_t value)
{
	if (value > 0)
		put_count(object, name, value);
}

static const char *state_name(uint32_t state)
{
	static const char *const names[] = {
		[JOB_PENDING] = "PENDING",     [JOB_RUNNING] = "RUNNING",     [JOB_SUSPENDED] = "SUSPENDED",
		[JOB_COMPLETE] = "COMPLETED",  [JOB_CANCELLED] = "CANCELLED", [JOB_FAILED] = "FAILED",
		[JOB_TIMEOUT] = "TIMEOUT",     [JOB_NODE_FAIL] = "NODE_FAIL", [JOB_PREEMPTED] = "PREEMPTED",
		[JOB_BOOT_FAIL] = "BOOT_FAIL", [JOB_DEADLINE] = "DEADLINE",   [JOB_OOM] = "OUT_OF_MEMORY",
	};
	uint32_t base = state & JOB_STATE_BASE;

	return base < sizeof(names) / sizeof(*names) ? names[base] : NULL;
}

/* Returns squeue's name for why a job waits; NULL for rare reasons. slurm.h declares no function for this. */
static const char *wait_name(uint32_t reason)
{
	static const char *const names[] = {
		[WAIT_PRIORITY] = "Priority",	    [WAIT_DEPENDENCY] = "Dependency",
		[WAIT_RESOURCES] = "Resources",	    [WAIT_PART_NODE_LIMIT] = "PartitionNodeLimit",
		[WAIT_PART_TIME_LIMIT] = "PartitionTimeLimit", [WAIT_PART_DOWN] = "PartitionDown",
		[WAIT_PART_INACTIVE] = "PartitionInactive", [WAIT_HELD] = "JobHeldAdmin",
		[WAIT_TIME] = "BeginTime",	    [WAIT_LICENSES] = "Licenses",
		[WAIT_RESERVATION] = "Reservation", [WAIT_NODE_NOT_AVAIL] = "ReqNodeNotAvail",
		[WAIT_HELD_USER] = "JobHeldUser",   [WAIT_DEP_INVALID] = "DependencyNeverSatisfied",
	};

	return reason < sizeof(names) / sizeof(*names) ? names[reason] : NULL;
}

static const char *reason_name(uint32_t reason)
{
	switch (reason) {
	case FAIL_DOWN_NODE:
		return "NodeDown";
	case FAIL_LAUNCH:
		return "JobLaunchFailure";
	case FAIL_EXIT_CODE:
		return "NonZeroExitCode";
	case FAIL_TIMEOUT:
		return "TimeLimit";
	case FAIL_INACTIVE_LIMIT:
		return "InactiveLimit";
	case FAIL_OOM:
		return "OutOfMemory";
	case FAIL_DEADLINE:
		return "DeadLine";
	default:
		return NULL;
	}
}

struct numbers {
	uint32_t id, array, task, het, offset;
};

static void add_numbers(struct json_object *object, const struct numbers *of)
{
	bool task = of->array && of->task != NO_VAL;
	bool het = of->het && of->het != NO_VAL;

	put_count(object, "job_id", of->id);
	json_object_object_add(object, "array_job_id", task ? json_object_new_int64(of->array) : NULL);
	json_object_object_add(object, "array_task_id", task ? json_object_new_int64(of->task) : NULL);
	json_object_object_add(object, "het_job_id", het ? json_object_new_int64(of->het) : NULL);
	json_object_object_add(object, "het_job_offset", het ? json_object_new_int64(of->offset) : NULL);
}

static void add_user(struct json_object *object, uint32_t uid, uint32_t gid)
{
	struct passwd *user = getpwuid(uid);

	put_count(object, "user_id", uid);
	put_known_text(object, "user", user ? user->pw_name : NULL);
	put_count(object, "group_id", gid);
}

/*
 * Cuts a user's text to @most bytes. With long texts, the whole answer could become too long.
 * The program that asks refuses an answer that is too long, and would know nothing about the job.
 */
static void put_cut_text(struct json_object *object, const char *name, const char *text, size_t most)
{
	cleanup_free char *cut = text && strlen(text) > most ? strndup(text, utf8_whole(text, most)) : NULL;

	put_known_text(object, name, cut ? cut : text);
}

static void put_bounded_text(struct json_object *object, const char *name, const char *text)
{
	put_cut_text(object, name, text, TEXT_MAX);
}

static void add_identity(struct json_object *object, const job_info_t *job)
{
	const struct numbers numbers = { job->job_id, job->array_job_id, job->array_task_id, job->het_job_id,
					 job->het_job_offset };

	add_numbers(object, &numbers);
	put_known_text(object, "array_tasks", job->array_task_str);
	put_bounded_text(object, "name", job->name);
	add_user(object, job->user_id, job->group_id);
	put_known_text(object, "account", job->account);
	put_known_text(object, "partition", job->partition);
	put_known_text(object, "qos", job->qos);
	put_bounded_text(object, "comment", job->comment);
}

/*
 * Adds how long the job was suspended.
 *
 * If a job ends while it is suspended, Slurm records the start of the suspension as the job's end.
 */
static void add_suspended(struct json_object *object, const job_info_t *job)
{
	time_t ran = job->pre_sus_time + job->end_time - job->suspend_time;

	if (job->suspend_time && job->end_time >= job->suspend_time)
		add_time(object, "suspended_s", job->end_time - job->start_time - ran);
	if (job->suspend_time && job->end_time == job->suspend_time)
		put_flag(object, "ended_suspended", true);
}

static void add_state(struct json_object *object, const job_info_t *job)
{
	uint32_t base = job->job_state & JOB_STATE_BASE;
	bool requeued = job->job_state & (JOB_REQUEUE | JOB_REQUEUE_HOLD | JOB_SPECIAL_EXIT | JOB_REQUEUE_FED);
	bool completing = job->job_state & JOB_COMPLETING;

	/* slurmctld sets a requeued job to PENDING before its nodes are free. */
	requeued = requeued || (completing && base == JOB_PENDING);
	put_known_text(object, "state", state_name(job->job_state));
	put_flag(object, "completing", completing);
	put_flag(object, "requeued", requeued);
	put_known_text(object, "reason", reason_name(job->state_reason));
	if (base == JOB_PENDING)
		put_known_text(object, "waits_for", wait_name(job->state_reason));
	add_known(object, "exit_status", job->exit_code);
	add_known(object, "derived_exit_status", job->derived_ec);
	put_count(object, "restarts", job->restart_cnt);
	add_time(object, "submit_unix_s", job->submit_time);
	if (base != JOB_PENDING) /* for a pending job, start_time is the scheduler's guess */
		add_time(object, "start_unix_s", job->start_time);
	if (base > JOB_SUSPENDED) { /* before the job has ended, end_time is the end of its time limit */
		add_time(object, "end_unix_s", job->end_time);
		add_suspended(object, job);
	}
}

static void add_memory(struct json_object *object, const job_info_t *job)
{
	bool per_gpu = job->mem_per_tres && *job->mem_per_tres;
	uint64_t asked = job->pn_min_memory;
	uint64_t allocated;

	if (asked != NO_VAL64 && !per_gpu) /* 0 asks for all memory of a node */
		put_count(object, asked & MEM_PER_CPU ? "memory_per_cpu_bytes" : "memory_per_node_bytes",
			  (asked & ~MEM_PER_CPU) * MIB);
	if (tres_memory(job->tres_alloc_str, &allocated) == 0)
		put_count(object, "allocated_memory_bytes", allocated);
}

/* @minutes: as Slurm gives it; may be INFINITE or NO_VAL */
static void add_time_limit(struct json_object *object, uint32_t minutes)
{
	if (minutes == INFINITE)
		put_null(object, "time_limit_s");
	else if (minutes != NO_VAL)
		put_count(object, "time_limit_s", (int64_t)minutes * 60);
}

#define GPU_ENTRIES_MAX 4096 /* in an answer */

struct gpu_list {
	struct json_object *list;
	const char *node; /* NULL: of all nodes together */
};

static void take_gpus(const struct gpus *gpus, void *data)
{
	struct gpu_list *to = data;

	if (json_object_array_length(to->list) < GPU_ENTRIES_MAX)
		gpus_put(to->list, to->node, gpus);
}

/* Adds the list, if it has any entry. */
static bool add_gpu_list(struct json_object *object, struct json_object *list)
{
	bool any = json_object_array_length(list) > 0;

	if (any)
		json_object_object_add(object, "gpus_allocated", list);
	else
		json_object_put(list);
	return any;
}

/*
 * Adds what each node gives to the job. Slurm tells this only while the job runs (_pack_job_gres() in job_mgr.c).
 * Returns false if Slurm did not tell it of all nodes.
 */
static bool add_gpus_by_node(struct json_object *object, const job_info_t *job)
{
	struct json_object *hosts = job->gres_detail_cnt && job->nodes ? job_json_hosts(job->nodes) : NULL;
	size_t count = hosts ? json_object_array_length(hosts) : 0;
	struct gpu_list to = { json_object_new_array(), NULL };
	bool whole = count > 0 && count == job->gres_detail_cnt && count <= GPU_ENTRIES_MAX;

	for (size_t i = 0; whole && i < count; i++) {
		to.node = json_object_get_string(json_object_array_get_idx(hosts, i));
		whole = gpus_of_gres(job->gres_detail_str[i], take_gpus, &to) == 0;
	}
	json_object_put(hosts);
	if (whole)
		return add_gpu_list(object, to.list);
	json_object_put(to.list);
	return false;
}

/* Adds the types and counts of all nodes together. @total may be NULL. */
static void add_gpus_by_type(struct json_object *object, const char *tres, const char *total)
{
	struct gpu_list to = { json_object_new_array(), NULL };

	if (gpus_of_tres(tres, take_gpus, &to) < 0 || json_object_array_length(to.list) == 0)
		gpus_of_gres(total, take_gpus, &to);
	add_gpu_list(object, to.list);
}

/* Slurm counts GPUs as TRES only if AccountingStorageTRES names them. So gres_total is read, too. */
static void add_gpus(struct json_object *object, const job_info_t *job)
{
	uint32_t gpus;

	if (tres_count(job->tres_alloc_str, "gres/gpu", &gpus) == 0 || gres_count(job->gres_total, "gpu", &gpus) == 0)
		put_count(object, "gpus", gpus);
	if (!add_gpus_by_node(object, job))
		add_gpus_by_type(object, job->tres_alloc_str, job->gres_total);
}

static void add_request(struct json_object *object, const job_info_t *job)
{
	uint32_t nodes, cpus;

	add_time_limit(object, job->time_limit);
	/* When a node's epilog has ended, Slurm lowers num_nodes and num_cpus. The TRES keep the allocated numbers. */
	nodes = job->num_nodes;
	cpus = job->num_cpus;
	tres_count(job->tres_alloc_str, "node", &nodes);
	tres_count(job->tres_alloc_str, "cpu", &cpus);
	add_known(object, "nodes", nodes);
	put_known_text(object, "node_list", job->nodes);
	if (job->nodes && *job->nodes)
		json_object_object_add(object, "node_names", job_json_hosts(job->nodes));
	put_known_text(object, "batch_host", job->batch_host);
	add_known(object, "cpus", cpus);
	if (tres_count(job->tres_req_str, "cpu", &cpus) == 0)
		put_count(object, "requested_cpus", cpus);
	add_known(object, "tasks", job->num_tasks);
	if (job->shared == JOB_SHARED_NONE) /* the job asked for this, or its partition has OverSubscribe=EXCLUSIVE */
		put_flag(object, "exclusive", true);
	add_gpus(object, job);
	add_memory(object, job);
}

static void add_paths(struct json_object *object, job_info_t *job)
{
	char path[PATH_MAX] = "", errors[PATH_MAX] = "";

	put_known_text(object, "work_dir", job->work_dir);
	put_bounded_text(object, "command", job->command);
	put_known_text(object, "admin_comment", job->admin_comment);
	if (job->batch_flag) {
		slurm_get_job_stdout(path, sizeof(path), job);
		slurm_get_job_stderr(errors, sizeof(errors), job);
		put_known_text(object, "std_out", path);
		if (strcmp(path, errors) != 0)
			put_known_text(object, "std_err", errors);
	}
}

struct json_object *job_json(job_info_t *job)
{
	struct json_object *object = json_object_new_object();

	add_identity(object, job);
	add_state(object, job);
	add_request(object, job);
	add_paths(object, job);
	return object;
}

static void add_row_use(struct json_object *object, const slurmdb_job_rec_t *row)
{
	bool started = row->nodes && *row->nodes && strcmp(row->nodes, "None assigned") != 0;
	uint32_t nodes = row->alloc_nodes, cpus, gpus;
	uint64_t memory;

	add_time_limit(object, row->timelimit);
	if (started) {
		tres_count(row->tres_alloc_str, "node", &nodes);
		put_count(object, "nodes", nodes);
		put_known_text(object, "node_list", row->nodes);
	}
	if (tres_count(row->tres_alloc_str, "cpu", &cpus) == 0)
		put_count(object, "cpus", cpus);
	put_count(object, "requested_cpus", row->req_cpus);
	if (tres_count(row->tres_alloc_str, "gres/gpu", &gpus) == 0)
		put_count(object, "gpus", gpus);
	add_gpus_by_type(object, row->tres_alloc_str, NULL);
	if (tres_memory(row->tres_alloc_str, &memory) == 0)
		put_count(object, "allocated_memory_bytes", memory);
}

struct json_object *job_json_ended(const slurmdb_job_rec_t *row)
{
	cleanup_free char *tasks = array_tasks_text(row->array_task_str);
	const struct numbers numbers = { row->jobid, row->array_job_id, row->array_task_id, row->het_job_id,
					 row->het_job_offset };
	struct json_object *object = json_object_new_object();

	add_numbers(object, &numbers);
	put_known_text(object, "array_tasks", tasks);
	put_known_text(object, "cluster", row->cluster);
	put_cut_text(object, "name", row->jobname, ROW_NAME_MAX);
	add_user(object, row->uid, row->gid);
	put_known_text(object, "account", row->account);
	put_known_text(object, "partition", row->partition);
	put_known_text(object, "state", row->state & JOB_REQUEUE ? "REQUEUED" : state_name(row->state));
	add_known(object, "exit_status", row->exitcode);
	add_known(object, "derived_exit_status", row->derived_ec);
	add_time(object, "submit_unix_s", row->submit);
	if (row->start != (time_t)NO_VAL) /* NO_VAL: never started */
		add_time(object, "start_unix_s", row->start);
	add_time(object, "end_unix_s", row->end);
	add_known(object, "elapsed_s", row->elapsed);
	add_time(object, "suspended_s", row->suspended);
	add_row_use(object, row);
	return object;
}

struct json_object *job_json_row(const slurmdb_job_rec_t *row)
{
	struct json_object *object = job_json_ended(row);

	put_known_text(object, "work_dir", row->work_dir);
	return object;
}

/* Checks brackets, because libslurm accepts "n[1-" and makes strange names of it. */
static bool brackets_close(const char *hosts)
{
	int open = 0;

	for (; *hosts && open >= 0 && open <= 1; hosts++)
		open += (*hosts == '[') - (*hosts == ']');
	return open == 0;
}

struct json_object *job_json_hosts(const char *hosts)
{
	struct json_object *names;
	compat_hostlist_t list;
	char *name;

	if (!*hosts || !brackets_close(hosts))
		return NULL;
	list = slurm_hostlist_create(hosts);
	if (!list)
		return NULL;
	names = json_object_new_array();
	while ((name = slurm_hostlist_shift(list))) {
		cleanup_free char *valid = utf8_valid(name);

		json_object_array_add(names, json_object_new_string(valid ? valid : ""));
		free(name);
	}
	slurm_hostlist_destroy(list);
	return names;
}
