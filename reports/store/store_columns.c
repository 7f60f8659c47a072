/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_line_internal.h"

#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"

const char *const store_total_columns[] = {
	"processes", "cpu_before_ns", "threads_peak", "oom_kills", "memory_used_sampled_peak_bytes", "memory_process_peak_bytes",
	"memory_charged_peak_bytes", "memory_swap_sampled_peak_bytes", "memory_limit_bytes",
	"cpu_ns", "on_cpu_ns", "read_bytes", "write_bytes", "syscall_read_bytes", "syscall_write_bytes", "socket_rx_bytes",
	"socket_tx_bytes", "runnable_ns", "memory_stall_ns", "fault_io_ns", "file_io_ns", "network_ns", "lock_ns", "pipe_ns",
	"other_ns", "event_ns", "condition_ns", "child_ns", "sleep_ns",
	"user_ns", "system_ns", "syscall_reads", "syscall_writes", "minor_faults", "major_faults", "lifetime_ns", "throttled_ns",
	"turns_ns", "cancelled_write_bytes", "voluntary_switches", "involuntary_switches", "reclaims", "reclaim_ns",
	"tcp_rx_bytes", "tcp_tx_bytes", "tcp_rx_ops", "tcp_tx_ops", "udp_rx_bytes", "udp_tx_bytes", "udp_rx_ops", "udp_tx_ops",
	"unix_rx_bytes", "unix_tx_bytes", "unix_rx_ops", "unix_tx_ops", "tcp_retransmits", "async_read_bytes", "async_write_bytes",
	"sync_wait_ns", "sync_waits",
	NULL,
};

const char *const store_tool_columns[] = {
	"runs", "forks", "failures", "signals", "dismissed", "wall_ns", "peak_bytes", "used_peak_bytes", "threads_peak",
	"cpu_ns", "on_cpu_ns", "read_bytes", "write_bytes", "syscall_read_bytes", "syscall_write_bytes", "socket_rx_bytes",
	"socket_tx_bytes", "runnable_ns", "memory_stall_ns", "fault_io_ns", "file_io_ns", "network_ns", "lock_ns", "pipe_ns",
	"other_ns", "event_ns", "condition_ns", "child_ns", "sleep_ns",
	"last_end_unix_ns",
	NULL,
};

const char *const store_wait_names[] = {
	"memory_stall", "fault_io", "file_io", "network", "lock", "pipe", "other", "event", "condition", "child", "sleep", NULL,
};

const char *const store_wait_columns[] = { "some_ns", "full_ns", "bound_ns", "waits", NULL };

const char *const store_file_system_columns[] = {
	"wait_ns", "waits", "reads", "writes", "read_bytes", "write_bytes", "opens", NULL,
};

const char *const store_step_columns[] = {
	"start_unix_ns", "end_unix_ns", "exit_status", "nodes", "task_count", "processes", "pid", NULL,
};

const char *const store_oom_columns[] = { "time_unix_ns", "pid", "rss_bytes", "used_bytes", "limit_bytes", NULL };

const char *const store_stall_columns[] = { "pid", "start_unix_ns", "quiet_ns", NULL };

const char *const store_failed_columns[] = {
	"pid", "ppid", "exit_status", "start_unix_ns", "end_unix_ns", "forked", NULL,
};

const char *const store_point_columns[] = { "cpu_ns", "on_cpu_ns", "runnable_ns", NULL };

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
	"requested_cpus", "tasks", "memory_per_cpu_bytes", "memory_per_node_bytes", "allocated_memory_bytes", NULL,
};

const char *const store_slurm_texts[] = {
	"user", "account", "partition", "qos", "cluster", "state", "reason", "batch_host", NULL,
};

const char *const store_slurm_flags[] = { "completing", "requeued", NULL };

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

/* json-c begins with few places, and moves all members each time it makes more: for one that gets @more it is done once. */
static void make_places(struct json_object *object, size_t more)
{
	struct lh_table *table = json_object_get_object(object);
	size_t places = table->size;

	while ((table->count + more) * 3 >= places * 2)
		places *= 2;
	if (places > (size_t)table->size)
		lh_table_resize(table, (int)places);
}

void store_take_columns(struct json_object *array, size_t at, struct json_object *out, const char *const *columns)
{
	make_places(out, at < field_length(array) ? field_length(array) - at : 0);
	for (; *columns && at < field_length(array); columns++, at++) {
		struct json_object *value = json_object_array_get_idx(array, at);

		if (value)
			put_new_same(out, *columns, value);
	}
}

void store_put_at(struct json_object *out, const char *name, struct json_object *value)
{
	const char *dot = strchr(name, '.');
	struct json_object *inside;
	char outer[32];

	if (!dot) {
		json_object_object_add(out, name, value);
		return;
	}
	snprintf(outer, sizeof(outer), "%.*s", (int)(dot - name), name);
	inside = field_find(out, outer);
	json_object_object_add(inside ? inside : put_object(out, outer), dot + 1, value);
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
