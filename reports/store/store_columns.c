/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_line_internal.h"

#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"

#define AT(of, member) offsetof(struct record_##of, member)

const uint16_t store_total_columns[] = {
	AT(totals, processes), AT(totals, cpu_before_ns), AT(totals, threads_peak), AT(totals, oom_kills),
	AT(totals, memory_used_sampled_peak_bytes), AT(totals, memory_process_peak_bytes), AT(totals, memory_charged_peak_bytes),
	AT(totals, memory_swap_sampled_peak_bytes), AT(totals, memory_limit_bytes), AT(totals, cpu_ns), AT(totals, on_cpu_ns),
	AT(totals, read_bytes), AT(totals, write_bytes), AT(totals, syscall_read_bytes), AT(totals, syscall_write_bytes),
	AT(totals, socket_rx_bytes), AT(totals, socket_tx_bytes), AT(totals, runnable_ns), AT(totals, memory_stall_ns),
	AT(totals, fault_io_ns), AT(totals, file_io_ns), AT(totals, network_ns), AT(totals, lock_ns), AT(totals, pipe_ns),
	AT(totals, other_ns), AT(totals, event_ns), AT(totals, condition_ns), AT(totals, child_ns), AT(totals, sleep_ns),
	AT(totals, user_ns), AT(totals, system_ns), AT(totals, syscall_reads), AT(totals, syscall_writes),
	AT(totals, minor_faults), AT(totals, major_faults), AT(totals, lifetime_ns), AT(totals, throttled_ns),
	AT(totals, turns_ns), AT(totals, cancelled_write_bytes), AT(totals, voluntary_switches),
	AT(totals, involuntary_switches), AT(totals, reclaims), AT(totals, reclaim_ns), AT(totals, tcp_rx_bytes),
	AT(totals, tcp_tx_bytes), AT(totals, tcp_rx_ops), AT(totals, tcp_tx_ops), AT(totals, udp_rx_bytes),
	AT(totals, udp_tx_bytes), AT(totals, udp_rx_ops), AT(totals, udp_tx_ops), AT(totals, unix_rx_bytes),
	AT(totals, unix_tx_bytes), AT(totals, unix_rx_ops), AT(totals, unix_tx_ops), AT(totals, tcp_retransmits),
	AT(totals, async_read_bytes), AT(totals, async_write_bytes), AT(totals, sync_wait_ns), AT(totals, sync_waits),
	AT(totals, gpu_ns), STORE_END,
};

const uint16_t store_tool_columns[] = {
	AT(tool, runs), AT(tool, forks), AT(tool, failures), AT(tool, signals), AT(tool, dismissed), AT(tool, wall_ns),
	AT(tool, peak_bytes), AT(tool, used_peak_bytes), AT(tool, threads_peak), AT(tool, cpu_ns), AT(tool, on_cpu_ns),
	AT(tool, read_bytes), AT(tool, write_bytes), AT(tool, syscall_read_bytes), AT(tool, syscall_write_bytes),
	AT(tool, socket_rx_bytes), AT(tool, socket_tx_bytes), AT(tool, runnable_ns), AT(tool, memory_stall_ns),
	AT(tool, fault_io_ns), AT(tool, file_io_ns), AT(tool, network_ns), AT(tool, lock_ns), AT(tool, pipe_ns),
	AT(tool, other_ns), AT(tool, event_ns), AT(tool, condition_ns), AT(tool, child_ns), AT(tool, sleep_ns),
	AT(tool, last_end_unix_ns), AT(tool, openmp_processes), AT(tool, blas_processes),
	AT(tool, lifetime_ns), AT(tool, syscall_reads), AT(tool, syscall_writes), AT(tool, async_read_bytes),
	AT(tool, async_write_bytes), AT(tool, gpu_ns), STORE_END,
};

const uint16_t store_waits[] = {
	AT(waits, memory_stall), AT(waits, fault_io), AT(waits, file_io), AT(waits, network), AT(waits, lock), AT(waits, pipe),
	AT(waits, other), AT(waits, event), AT(waits, condition), AT(waits, child), AT(waits, sleep), AT(waits, gpu),
	STORE_END,
};

const uint16_t store_wait_columns[] = { AT(wait, some_ns), AT(wait, full_ns), AT(wait, bound_ns), AT(wait, waits), STORE_END };

const uint16_t store_file_system_columns[] = {
	AT(file_system, wait_ns), AT(file_system, waits), AT(file_system, reads), AT(file_system, writes),
	AT(file_system, read_bytes), AT(file_system, write_bytes), AT(file_system, opens), STORE_END,
};

const uint16_t store_step_columns[] = {
	AT(step, start_unix_ns), AT(step, end_unix_ns), AT(step, exit_status), AT(step, nodes), AT(step, task_count),
	AT(step, totals.processes), STORE_EXTRA, AT(step, stepd_start_unix_ns), AT(step, totals.memory_limit_bytes),
	AT(step, totals.memory_used_sampled_peak_bytes), AT(step, totals.memory_process_peak_bytes),
	AT(step, totals.memory_charged_peak_bytes), AT(step, totals.write_bytes), AT(step, totals.memory_stall_ns),
	AT(step, totals.fault_io_ns), AT(step, totals.reclaim_ns), STORE_END,
};

const uint16_t store_oom_columns[] = {
	AT(oom_kill, time_unix_ns), AT(oom_kill, pid), AT(oom_kill, rss_bytes), AT(oom_kill, used_bytes),
	AT(oom_kill, limit_bytes), STORE_EXTRA, AT(oom_kill, kernel_bytes), AT(oom_kill, slab_bytes), AT(oom_kill, names_bytes),
	AT(oom_kill, page_table_bytes), STORE_END,
};

const uint16_t store_stall_columns[] = {
	AT(stall, pid), AT(stall, start_unix_ns), AT(stall, quiet_ns), STORE_END,
};

const uint16_t store_failed_columns[] = {
	AT(entry, pid), AT(entry, ppid), AT(entry, exit_status), AT(entry, start_unix_ns), AT(entry, end_unix_ns), STORE_EXTRA,
	AT(entry, wall_ns), AT(entry, write_bytes), AT(entry, syscall_write_bytes), AT(entry, cpu_ns),
	AT(entry, socket_rx_bytes), AT(entry, socket_tx_bytes), AT(entry, on_cpu_ns), AT(entry, memory_stall_ns),
	AT(entry, fault_io_ns), AT(entry, file_io_ns), AT(entry, network_ns), AT(entry, pipe_ns), AT(entry, lock_ns),
	AT(entry, condition_ns), AT(entry, child_ns), AT(entry, event_ns), AT(entry, sleep_ns), AT(entry, other_ns),
	AT(entry, gpu_ns), STORE_END,
};

const uint16_t store_point_columns[] = {
	AT(columns, cpu_ns), AT(columns, on_cpu_ns), AT(columns, runnable_ns), STORE_END,
};

const uint16_t store_gpu_columns[] = {
	AT(gpu, minor), AT(gpu, gpu_instance), AT(gpu, busy.busy_ns), AT(gpu, busy.known_ns), AT(gpu, busy.covered_ns),
	AT(gpu, busy.counted_ns), AT(gpu, sm.busy_ns), AT(gpu, sm.known_ns), AT(gpu, memory_total_bytes),
	AT(gpu, memory_peak_bytes), AT(gpu, job_memory_peak_bytes), AT(gpu, xid_errors), AT(gpu, energy_mj),
	AT(gpu, throttled_known_ns), AT(gpu, throttled_heat_ns), AT(gpu, throttled_power_ns), AT(gpu, idle_tail_ns),
	STORE_EXTRA, STORE_END,
};

const uint16_t store_gpu_type_columns[] = { AT(gpu_given, count), STORE_END };

/* OWN(): a member of the record. IN(): of an object in the record. OF(): of another struct. */
#define OWN(member) { #member, offsetof(struct record, member), offsetof(struct record, known) }
#define IN(object, member) { #object "." #member, offsetof(struct record, object.member), offsetof(struct record, object.known) }
#define OF(of, member) { #member, AT(of, member), AT(of, known) }
#define END { NULL, 0, 0 }

const struct store_member store_numbers[] = {
	IN(collector, since_unix_ns), IN(collector, booted_unix_ns), IN(collector, closed_unix_ns), IN(identity, job_id),
	IN(identity, array_job_id), IN(identity, array_task_id), IN(identity, attempt), IN(user, uid), IN(user, gid),
	OWN(exit_status), OWN(derived_exit_status), OWN(opened_unix_ns), IN(allocated, cpus), IN(allocated, memory_bytes),
	OWN(files_count), OWN(gpus_listed_ns), IN(pressure, active_ns), IN(pressure, parallel_ns), IN(pressure, busy_peak),
	IN(progress, first_activity_unix_ns), IN(progress, last_activity_unix_ns), END,
};

const struct store_member store_texts[] = {
	IN(collector, version), IN(identity, cluster), IN(identity, node), IN(identity, boot_id), IN(user, name), OWN(mode),
	OWN(partition), IN(allocated, cpu_list), OWN(gpu_samples_missing), END,
};

const struct store_member store_node_lists[] = { OWN(node_list), END };

const struct store_member store_flags[] = { OWN(complete), END };

const struct store_member store_slurm_numbers[] = {
	OF(slurm_job, job_id), OF(slurm_job, array_job_id), OF(slurm_job, array_task_id), OF(slurm_job, het_job_id),
	OF(slurm_job, het_job_offset), OF(slurm_job, user_id), OF(slurm_job, group_id), OF(slurm_job, exit_status),
	OF(slurm_job, derived_exit_status), OF(slurm_job, restarts), OF(slurm_job, submit_unix_s), OF(slurm_job, start_unix_s),
	OF(slurm_job, end_unix_s), OF(slurm_job, suspended_s), OF(slurm_job, time_limit_s), OF(slurm_job, nodes),
	OF(slurm_job, cpus), OF(slurm_job, requested_cpus), OF(slurm_job, tasks), OF(slurm_job, memory_per_cpu_bytes),
	OF(slurm_job, memory_per_node_bytes), OF(slurm_job, allocated_memory_bytes), OF(slurm_job, gpus), END,
};

const struct store_member store_slurm_texts[] = {
	OF(slurm_job, user), OF(slurm_job, account), OF(slurm_job, partition), OF(slurm_job, qos), OF(slurm_job, cluster),
	OF(slurm_job, state), OF(slurm_job, reason), OF(slurm_job, batch_host), END,
};

const struct store_member store_slurm_flags[] = {
	OF(slurm_job, completing), OF(slurm_job, requeued), OF(slurm_job, ended_suspended), OF(slurm_job, exclusive),
	OF(slurm_job, memory_by_default), END,
};

const struct store_member store_slurm_names[] = { OF(slurm_job, name), OF(slurm_job, node_list), END };

const struct store_member store_workflow_texts[] = {
	OF(workflow, engine), OF(workflow, process), OF(workflow, rule), OF(workflow, group), END,
};

void store_put_columns(struct json_object *array, const void *from, const uint16_t *columns, int64_t extra)
{
	size_t lacking = 0;

	for (; *columns != STORE_END; columns++) {
		int64_t value = *columns == STORE_EXTRA ? extra : *(const int64_t *)((const char *)from + *columns);

		if (value < 0) {
			lacking++;
			continue;
		}
		for (; lacking; lacking--)
			json_object_array_add(array, NULL);
		json_object_array_add(array, json_object_new_int64(value));
	}
}

void store_put_at(struct json_object *out, const char *name, struct json_object *value)
{
	const char *dot = strchr(name, '.');
	struct json_object *inside;
	char outer[32]; /* longer than any name that stint uses */

	if (!dot) {
		json_object_object_add_ex(out, name, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
		return;
	}
	memcpy(outer, name, (size_t)(dot - name));
	outer[dot - name] = '\0';
	inside = field_find(out, outer);
	json_object_object_add_ex(inside ? inside : put_object(out, outer), dot + 1, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
}

/* Returns how many bytes @byte takes in JSON. A tool's name may consist of control characters. */
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
