/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/job_json.h"

#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>

#include "collector/common/cleanup.h"
#include "spank/tres.h"
#include "collector/common/utf8.h"

#define MIB (1024ull * 1024)

static void add_text(struct json_object *object, const char *name, const char *text)
{
	cleanup_free char *valid = text && *text ? utf8_valid(text) : NULL;

	if (valid)
		json_object_object_add(object, name, json_object_new_string(valid));
}

static void add_number(struct json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

static void add_known(struct json_object *object, const char *name, uint32_t value)
{
	if (value != NO_VAL && value != INFINITE)
		add_number(object, name, value);
}

static void add_time(struct json_object *object, const char *name, time_t value)
{
	if (value > 0)
		add_number(object, name, value);
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

/* What a job that has not started waits for, as squeue has it, of what is common. Slurm's function for it is not in slurm.h. */
static const char *wait_name(uint16_t reason)
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

/* Why a job ended; what it once waited for is of no interest here. */
static const char *reason_name(uint16_t reason)
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

static void add_identity(struct json_object *object, const job_info_t *job)
{
	bool task = job->array_job_id && job->array_task_id != NO_VAL;
	bool het = job->het_job_id && job->het_job_id != NO_VAL;
	struct passwd *user = getpwuid(job->user_id);

	add_number(object, "job_id", job->job_id);
	json_object_object_add(object, "array_job_id", task ? json_object_new_int64(job->array_job_id) : NULL);
	json_object_object_add(object, "array_task_id", task ? json_object_new_int64(job->array_task_id) : NULL);
	json_object_object_add(object, "het_job_id", het ? json_object_new_int64(job->het_job_id) : NULL);
	json_object_object_add(object, "het_job_offset", het ? json_object_new_int64(job->het_job_offset) : NULL);
	add_text(object, "name", job->name);
	add_number(object, "user_id", job->user_id);
	add_text(object, "user", user ? user->pw_name : NULL);
	add_number(object, "group_id", job->group_id);
	add_text(object, "account", job->account);
	add_text(object, "partition", job->partition);
	add_text(object, "qos", job->qos);
	add_text(object, "comment", job->comment);
}

/* As scontrol reckons RunTime: what ran before the last suspend or resume, and since then. */
static void add_suspended(struct json_object *object, const job_info_t *job)
{
	time_t ran = job->pre_sus_time + job->end_time - job->suspend_time;

	if (job->suspend_time && job->end_time >= job->suspend_time)
		add_time(object, "suspended_s", job->end_time - job->start_time - ran);
}

static void add_state(struct json_object *object, const job_info_t *job)
{
	uint32_t base = job->job_state & JOB_STATE_BASE;
	bool requeued = job->job_state & (JOB_REQUEUE | JOB_REQUEUE_HOLD | JOB_SPECIAL_EXIT | JOB_REQUEUE_FED);
	bool completing = job->job_state & JOB_COMPLETING;

	/* slurmctld turns a requeued job to PENDING before its nodes are free. */
	requeued = requeued || (completing && base == JOB_PENDING);
	add_text(object, "state", state_name(job->job_state));
	json_object_object_add(object, "completing", json_object_new_boolean(completing));
	json_object_object_add(object, "requeued", json_object_new_boolean(requeued));
	add_text(object, "reason", reason_name(job->state_reason));
	if (base == JOB_PENDING)
		add_text(object, "waits_for", wait_name(job->state_reason));
	add_known(object, "exit_status", job->exit_code);
	add_known(object, "derived_exit_status", job->derived_ec);
	add_number(object, "restarts", job->restart_cnt);
	add_time(object, "submit_unix_s", job->submit_time);
	if (base != JOB_PENDING) /* else the scheduler's guess */
		add_time(object, "start_unix_s", job->start_time);
	if (base > JOB_SUSPENDED) { /* else the time limit's */
		add_time(object, "end_unix_s", job->end_time);
		add_suspended(object, job);
	}
}

static void add_memory(struct json_object *object, const job_info_t *job)
{
	uint64_t asked = job->pn_min_memory;
	uint64_t allocated;

	if (asked != NO_VAL64 && (asked & ~MEM_PER_CPU)) /* 0 asks for all that a node has */
		add_number(object, asked & MEM_PER_CPU ? "memory_per_cpu_bytes" : "memory_per_node_bytes",
			   (asked & ~MEM_PER_CPU) * MIB);
	if (tres_memory(job->tres_alloc_str, &allocated) == 0)
		add_number(object, "allocated_memory_bytes", allocated);
}

static void add_request(struct json_object *object, const job_info_t *job)
{
	uint32_t nodes, cpus;

	if (job->time_limit == INFINITE)
		json_object_object_add(object, "time_limit_s", NULL);
	else if (job->time_limit != NO_VAL)
		add_number(object, "time_limit_s", (int64_t)job->time_limit * 60);
	/* What Slurm holds right now: both shrink with each node whose epilog has ended. TRES stay. */
	nodes = job->num_nodes;
	cpus = job->num_cpus;
	tres_count(job->tres_alloc_str, "node", &nodes);
	tres_count(job->tres_alloc_str, "cpu", &cpus);
	add_known(object, "nodes", nodes);
	add_text(object, "node_list", job->nodes);
	if (job->nodes && *job->nodes)
		json_object_object_add(object, "node_names", job_json_hosts(job->nodes));
	add_text(object, "batch_host", job->batch_host);
	add_known(object, "cpus", cpus);
	if (tres_count(job->tres_req_str, "cpu", &cpus) == 0)
		add_number(object, "requested_cpus", cpus);
	add_known(object, "tasks", job->num_tasks);
	add_memory(object, job);
}

static void add_paths(struct json_object *object, job_info_t *job)
{
	char path[PATH_MAX] = "";

	add_text(object, "work_dir", job->work_dir);
	add_text(object, "command", job->command);
	add_text(object, "admin_comment", job->admin_comment);
	if (job->batch_flag) {
		slurm_get_job_stdout(path, sizeof(path), job);
		add_text(object, "std_out", path);
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

/* libslurm takes "n[1-" for a list of odd names. */
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
	hostlist_t list;
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
