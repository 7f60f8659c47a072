/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_line_internal.h"

#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"

const int store_total_columns[] = {
	SUM_PROCESSES, NUMBER_CPU_BEFORE, NUMBER_THREADS_PEAK, SUM_OOM_KILLS, NUMBER_MEMORY_SAMPLED, NUMBER_MEMORY_PROCESS,
	NUMBER_MEMORY_CHARGED, NUMBER_MEMORY_SWAP, NUMBER_MEMORY_LIMIT, SUM_CPU, SUM_ON_CPU, SUM_READ_BYTES, SUM_WRITE_BYTES,
	SUM_SYSCALL_READ_BYTES, SUM_SYSCALL_WRITE_BYTES, SUM_SOCKET_RX_BYTES, SUM_SOCKET_TX_BYTES, SUM_RUNNABLE,
	SUM_MEMORY_STALL, SUM_FAULT_IO, SUM_FILE_IO, SUM_NETWORK, SUM_LOCK, SUM_PIPE, SUM_OTHER, SUM_EVENT, SUM_CONDITION,
	SUM_CHILD, SUM_SLEEP, SUM_USER, SUM_SYSTEM, SUM_SYSCALL_READS, SUM_SYSCALL_WRITES, SUM_MINOR_FAULTS, SUM_MAJOR_FAULTS,
	SUM_LIFETIME, SUM_THROTTLED, SUM_TURNS, SUM_CANCELLED_WRITE_BYTES, SUM_VOLUNTARY_SWITCHES, SUM_INVOLUNTARY_SWITCHES,
	SUM_RECLAIMS, SUM_RECLAIM, SUM_TCP_RX_BYTES, SUM_TCP_TX_BYTES, SUM_TCP_RX_OPS, SUM_TCP_TX_OPS, SUM_UDP_RX_BYTES,
	SUM_UDP_TX_BYTES, SUM_UDP_RX_OPS, SUM_UDP_TX_OPS, SUM_UNIX_RX_BYTES, SUM_UNIX_TX_BYTES, SUM_UNIX_RX_OPS,
	SUM_UNIX_TX_OPS, SUM_TCP_RETRANSMITS, SUM_ASYNC_READ_BYTES, SUM_ASYNC_WRITE_BYTES, SUM_SYNC_WAIT, SUM_SYNC_WAITS,
	NUMBERS,
};

const int store_tool_columns[] = {
	NUMBER_RUNS, NUMBER_FORKS, NUMBER_FAILURES, NUMBER_SIGNALS, NUMBER_DISMISSED, NUMBER_WALL, NUMBER_PEAK,
	NUMBER_USED_PEAK, NUMBER_THREADS_PEAK, SUM_CPU, SUM_ON_CPU, SUM_READ_BYTES, SUM_WRITE_BYTES, SUM_SYSCALL_READ_BYTES,
	SUM_SYSCALL_WRITE_BYTES, SUM_SOCKET_RX_BYTES, SUM_SOCKET_TX_BYTES, SUM_RUNNABLE, SUM_MEMORY_STALL, SUM_FAULT_IO,
	SUM_FILE_IO, SUM_NETWORK, SUM_LOCK, SUM_PIPE, SUM_OTHER, SUM_EVENT, SUM_CONDITION, SUM_CHILD, SUM_SLEEP,
	NUMBER_LAST_END, NUMBER_OPENMP, NUMBER_BLAS, NUMBERS,
};

const enum wait_kind store_waits[] = {
	WAIT_MEMORY_STALL, WAIT_FAULT_IO, WAIT_FILE_IO, WAIT_NETWORK, WAIT_LOCK, WAIT_PIPE, WAIT_OTHER, WAIT_EVENT, WAIT_CONDITION,
	WAIT_CHILD, WAIT_SLEEP, WAIT_KINDS,
};

const char *const store_file_system_columns[] = {
	"wait_ns", "waits", "reads", "writes", "read_bytes", "write_bytes", "opens", NULL,
};

const char *const store_step_columns[] = {
	"start_unix_ns", "end_unix_ns", "exit_status", "nodes", "task_count", "processes", "pid", "stepd_start_unix_ns", NULL,
};

const char *const store_oom_columns[] = { "time_unix_ns", "pid", "rss_bytes", "used_bytes", "limit_bytes", NULL };

const char *const store_stall_columns[] = { "pid", "start_unix_ns", "quiet_ns", NULL };

const char *const store_failed_columns[] = {
	"pid", "ppid", "exit_status", "start_unix_ns", "end_unix_ns", "forked", NULL,
};

const char *const store_point_columns[STORE_POINT_COLUMNS + 1] = { "cpu_ns", "on_cpu_ns", "runnable_ns", NULL };

const char *const store_numbers[] = {
	"collector.since_unix_ns", "collector.booted_unix_ns", "collector.closed_unix_ns", "identity.job_id", "identity.array_job_id",
	"identity.array_task_id", "identity.attempt", "user.uid", "user.gid", "exit_status", "derived_exit_status", "opened_unix_ns",
	"allocated.cpus", "allocated.memory_bytes", "files_count", "pressure.active_ns", "pressure.parallel_ns",
	"pressure.busy_peak", "progress.first_activity_unix_ns", "progress.last_activity_unix_ns", NULL,
};

const char *const store_texts[] = {
	"collector.version", "identity.cluster", "identity.node", "identity.boot_id", "user.name", "mode", "partition",
	"allocated.cpu_list", NULL,
};

const char *const store_slurm_numbers[] = {
	"job_id", "array_job_id", "array_task_id", "het_job_id", "het_job_offset", "user_id", "group_id", "exit_status",
	"derived_exit_status", "restarts", "submit_unix_s", "start_unix_s", "end_unix_s", "suspended_s", "time_limit_s", "nodes", "cpus",
	"requested_cpus", "tasks", "memory_per_cpu_bytes", "memory_per_node_bytes", "allocated_memory_bytes", "gpus", NULL,
};

const char *const store_slurm_texts[] = {
	"user", "account", "partition", "qos", "cluster", "state", "reason", "batch_host", NULL,
};

const char *const store_slurm_flags[] = { "completing", "requeued", "ended_suspended", "exclusive", NULL };

const char *const store_workflow_texts[] = { "engine", "process", "rule", "group", NULL };

void store_put_columns(struct json_object *array, struct json_object *from, const char *const *columns)
{
	size_t lacking = 0;
	int64_t value;

	for (; *columns; columns++) {
		if (!field_count(from, *columns, &value)) {
			lacking++;
			continue;
		}
		for (; lacking; lacking--)
			json_object_array_add(array, NULL);
		json_object_array_add(array, json_object_new_int64(value));
	}
}

void store_put_numbers(struct json_object *array, const struct numbers *numbers, const int *columns)
{
	size_t lacking = 0;

	for (; *columns != NUMBERS; columns++) {
		if (numbers->of[*columns] < 0) {
			lacking++;
			continue;
		}
		for (; lacking; lacking--)
			json_object_array_add(array, NULL);
		json_object_array_add(array, json_object_new_int64(numbers->of[*columns]));
	}
}

void store_put_at(struct json_object *out, const char *name, struct json_object *value)
{
	const char *dot = strchr(name, '.');
	struct json_object *inside;
	char outer[32]; /* as long as any of our names */

	if (!dot) {
		json_object_object_add_ex(out, name, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
		return;
	}
	memcpy(outer, name, (size_t)(dot - name));
	outer[dot - name] = '\0';
	inside = field_find(out, outer);
	json_object_object_add_ex(inside ? inside : put_object(out, outer), dot + 1, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
}

/* How many bytes a character's byte takes in JSON. A user may name a tool by control characters alone. */
static size_t json_bytes(char byte)
{
	return (unsigned char)byte < ' ' ? sizeof("\\u0001") - 1 : byte == '"' || byte == '\\' ? 2 : 1;
}

struct json_object *store_new_text(const char *text, size_t most)
{
	size_t length = 0, bytes = 0;

	if (!text)
		return NULL;
	while (text[length] && (bytes += json_bytes(text[length])) <= most)
		length++;
	if (text[length])
		length = utf8_whole(text, length);
	return json_object_new_string_len(text, (int)length);
}

struct json_object *store_new_name(const char *text)
{
	const char *slash = text ? strrchr(text, '/') : NULL;

	return store_new_text(slash ? slash + 1 : text, STORE_TEXT);
}
