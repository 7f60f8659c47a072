/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/part_form.h"

#include <stdint.h>

#include "common/sum_list.h"
#include "reports/json/json_filter.h"
#include "reports/records/record_input.h"

#define PART_BYTES (UINT64_C(24) << 20) /* for the lists whose bounds do not shrink on jobs with more nodes */
#define SHARED_BYTES (UINT64_C(128) << 20) /* for the lists whose bounds do shrink */
#define NODE_BYTES (UINT64_C(256) << 10) /* added for each node, for all parts together */
#define WEIGHT_MAX (UINT64_C(768) << 20)
#define TEXT_BYTES 65536
#define WIDE_NODES 64
#define ONE_MORE(...) +1
#define COLUMNS (5 SUM_LIST_OF_ENTRY(ONE_MORE)) /* of a series, including the times of its points */

enum list {
	LIST_NONE,
	GAPS,
	CORES,
	PUS,
	STEPS,
	TASKS,
	FILE_SYSTEMS,
	FILES,
	OOM,
	POINTS,
	STALLS,
	TOOLS,
	TIMELINE,
	NODES,
	LISTS
};

static const size_t most[LISTS] = {
	[GAPS] = RECORD_GAPS_MAX,
	[CORES] = 2048,
	[PUS] = 4096,
	[STEPS] = RECORD_STEPS_MAX,
	[TASKS] = RECORD_TASKS_MAX,
	[FILE_SYSTEMS] = 8192,
	[FILES] = RECORD_FILES_MAX + 64,
	[OOM] = RECORD_OOM_MAX,
	[POINTS] = COLUMNS * RECORD_POINTS_MAX,
	[STALLS] = RECORD_STALLS_MAX,
	[TOOLS] = RECORD_TOOLS_MAX,
	[NODES] = 65536,
};

#define PLAIN(name)                   \
	{                             \
		name, NULL, LIST_NONE \
	}
#define OBJECT(name, inside)            \
	{                               \
		name, inside, LIST_NONE \
	}
#define LIST(name, inside, list)   \
	{                          \
		name, inside, list \
	}
#define END                           \
	{                             \
		NULL, NULL, LIST_NONE \
	}

#define PLAIN_SUM(name, in_record, ...) PLAIN(in_record),
#define ENTRY_SUMS SUM_LIST_OF_ENTRY(PLAIN_SUM) PLAIN(SUM_REST),
#define ALL_SUMS SUM_LIST(PLAIN_SUM) PLAIN(SUM_REST),

static const struct json_filter_form collector_keys[] = {
	PLAIN("version"), PLAIN("booted_unix_ns"), PLAIN("since_unix_ns"), PLAIN("closed_unix_ns"), END,
};

static const struct json_filter_form identity_keys[] = {
	PLAIN("cluster"), PLAIN("job_id"), PLAIN("array_job_id"), PLAIN("array_task_id"),
	PLAIN("attempt"), PLAIN("node"),   PLAIN("boot_id"),      END,
};

static const struct json_filter_form user_keys[] = {
	PLAIN("uid"), PLAIN("gid"), PLAIN("name"), PLAIN("umask"), END,
};

static const struct json_filter_form gap_keys[] = {
	PLAIN("name"),
	PLAIN("reason"),
	END,
};

static const struct json_filter_form lost_keys[] = {
	PLAIN("process_records"),
	PLAIN("tools"),
	PLAIN("tasks"),
	PLAIN("files"),
	PLAIN("uses"),
	PLAIN("requests"),
	PLAIN("file_systems"),
	PLAIN("oom_records"),
	PLAIN("steps"),
	PLAIN("seen_by_killed_collector"),
	END,
};

static const struct json_filter_form core_keys[] = {
	PLAIN("core"), PLAIN("package"), LIST("pus", NULL, PUS), PLAIN("cpu_ns"), END,
};

static const struct json_filter_form allocated_keys[] = {
	PLAIN("cpus"), PLAIN("cpu_list"), LIST("cores", core_keys, CORES), PLAIN("memory_bytes"), END,
};

static const struct json_filter_form totals_keys[] = {
	ALL_SUMS
	PLAIN("processes"),
	PLAIN("cpu_before_ns"),
	PLAIN("threads_peak"),
	PLAIN("oom_kills"),
	PLAIN("memory_used_sampled_peak_bytes"),
	PLAIN("memory_process_peak_bytes"),
	PLAIN("memory_charged_peak_bytes"),
	PLAIN("memory_swap_sampled_peak_bytes"),
	PLAIN("memory_limit_bytes"),
	END,
};

static const struct json_filter_form task_keys[] = {
	PLAIN("rank"),
	PLAIN("pid"),
	END,
};

static const struct json_filter_form step_keys[] = {
	PLAIN("id"),
	PLAIN("step_id"),
	PLAIN("stepd_start_unix_ns"),
	PLAIN("start_unix_ns"),
	PLAIN("end_unix_ns"),
	PLAIN("exit_status"),
	PLAIN("nodes"),
	PLAIN("task_count"),
	LIST("tasks", task_keys, TASKS),
	OBJECT("totals", totals_keys),
	END,
};

static const struct json_filter_form wait_keys[] = {
	PLAIN("some_ns"), PLAIN("full_ns"), PLAIN("bound_ns"), PLAIN("waits"), END,
};

static const struct json_filter_form waits_keys[] = {
	OBJECT("memory_stall", wait_keys), OBJECT("fault_io", wait_keys), OBJECT("file_io", wait_keys),
	OBJECT("network", wait_keys),      OBJECT("lock", wait_keys),     OBJECT("pipe", wait_keys),
	OBJECT("other", wait_keys),        OBJECT("event", wait_keys),    OBJECT("condition", wait_keys),
	OBJECT("child", wait_keys),        OBJECT("sleep", wait_keys),    PLAIN(SUM_REST),
	END,
};

static const struct json_filter_form pressure_keys[] = {
	PLAIN("active_ns"), PLAIN("parallel_ns"), PLAIN("busy_peak"), OBJECT("waits", waits_keys), END,
};

static const struct json_filter_form file_system_keys[] = {
	PLAIN("type"),   PLAIN("magic"),      PLAIN("wait_ns"),     PLAIN("waits"), PLAIN("reads"),
	PLAIN("writes"), PLAIN("read_bytes"), PLAIN("write_bytes"), PLAIN("opens"), END,
};

static const struct json_filter_form file_keys[] = {
	PLAIN("path"),   PLAIN("type"),       PLAIN("opens"),       PLAIN("reads"),
	PLAIN("writes"), PLAIN("read_bytes"), PLAIN("write_bytes"), END,
};

static const struct json_filter_form oom_keys[] = {
	PLAIN("time_unix_ns"), PLAIN("tool"),       PLAIN("comm"),        PLAIN("pid"), PLAIN("step"),
	PLAIN("rss_bytes"),    PLAIN("used_bytes"), PLAIN("limit_bytes"),
	PLAIN("kernel_bytes"), PLAIN("slab_bytes"), PLAIN("names_bytes"),
	PLAIN("page_table_bytes"), PLAIN("node_ran_out"), PLAIN("along"), END,
};

#define COLUMN(name) LIST(name, NULL, POINTS)
#define SUM_COLUMN(name, in_record, ...) COLUMN(in_record),
static const struct json_filter_form column_keys[] = {
	SUM_LIST_OF_ENTRY(SUM_COLUMN) COLUMN("memory_used_bytes"), COLUMN("memory_cache_bytes"),
	COLUMN("processes"), COLUMN("threads"),           END,
};

static const struct json_filter_form series_keys[] = {
	PLAIN("start_unix_ns"),
	PLAIN("interval_ns"),
	LIST("end_offsets_ns", NULL, POINTS),
	OBJECT("columns", column_keys),
	END,
};

static const struct json_filter_form stall_keys[] = {
	PLAIN("tool"), PLAIN("pid"), PLAIN("step"), PLAIN("start_unix_ns"), PLAIN("quiet_ns"), END,
};

static const struct json_filter_form progress_keys[] = {
	PLAIN("first_activity_unix_ns"),
	PLAIN("last_activity_unix_ns"),
	LIST("stalls", stall_keys, STALLS),
	END,
};

static const struct json_filter_form tool_keys[] = {
	PLAIN("name"),
	PLAIN("interpreter"),
	PLAIN("path"),
	PLAIN("interpreter_path"),
	PLAIN("slurm"),
	PLAIN("runs"),
	PLAIN("forks"),
	PLAIN("failures"),
	PLAIN("signals"),
	PLAIN("dismissed"),
	PLAIN("living"),
	ALL_SUMS
	PLAIN("wall_ns"),
	PLAIN("threads_peak"),
	PLAIN("openmp_processes"),
	PLAIN("blas_processes"),
	PLAIN("peak_bytes"),
	PLAIN("used_peak_bytes"),
	PLAIN("first_start_unix_ns"),
	PLAIN("last_end_unix_ns"),
	END,
};

static const struct json_filter_form timeline_keys[] = {
	PLAIN("tool"),    PLAIN("step"),       PLAIN("count"),         PLAIN("failures"),
	PLAIN("pid"),     PLAIN("ppid"),       PLAIN("exit_status"),   PLAIN("dismissed"),
	PLAIN("forked"),  PLAIN("living"),     PLAIN("start_unix_ns"), PLAIN("end_unix_ns"),
	PLAIN("wall_ns"), PLAIN("peak_bytes"), ENTRY_SUMS END,
};

/* The answer of stint-slurm-job. */
static const struct json_filter_form slurm_keys[] = {
	PLAIN("job_id"),
	PLAIN("array_job_id"),
	PLAIN("array_task_id"),
	PLAIN("het_job_id"),
	PLAIN("het_job_offset"),
	PLAIN("name"),
	PLAIN("user_id"),
	PLAIN("user"),
	PLAIN("group_id"),
	PLAIN("account"),
	PLAIN("partition"),
	PLAIN("qos"),
	PLAIN("comment"),
	PLAIN("state"),
	PLAIN("completing"),
	PLAIN("requeued"),
	PLAIN("reason"),
	PLAIN("waits_for"),
	PLAIN("exit_status"),
	PLAIN("derived_exit_status"),
	PLAIN("restarts"),
	PLAIN("submit_unix_s"),
	PLAIN("start_unix_s"),
	PLAIN("end_unix_s"),
	PLAIN("suspended_s"),
	PLAIN("ended_suspended"),
	PLAIN("time_limit_s"),
	PLAIN("nodes"),
	PLAIN("node_list"),
	PLAIN("batch_host"),
	PLAIN("cpus"),
	PLAIN("requested_cpus"),
	PLAIN("tasks"),
	PLAIN("exclusive"),
	PLAIN("gpus"),
	PLAIN("memory_per_cpu_bytes"),
	PLAIN("memory_by_default"),
	PLAIN("memory_per_node_bytes"),
	PLAIN("allocated_memory_bytes"),
	PLAIN("work_dir"),
	PLAIN("command"),
	PLAIN("std_out"),
	PLAIN("std_err"),
	LIST("node_names", NULL, NODES),
	LIST("steps_timed_out", NULL, STEPS),
	END,
};

static const struct json_filter_form record_keys[] = {
	PLAIN("stint_record"),
	OBJECT("collector", collector_keys),
	OBJECT("identity", identity_keys),
	OBJECT("user", user_keys),
	PLAIN("work_dir_hex"),
	PLAIN("output_hex"),
	PLAIN("work_dir"),
	PLAIN("output"),
	PLAIN("mode"),
	PLAIN("partition"),
	PLAIN("node_list"),
	PLAIN("exit_status"),
	PLAIN("derived_exit_status"),
	PLAIN("opened_unix_ns"),
	PLAIN("clock_set_ns"),
	PLAIN("complete"),
	LIST("gaps", gap_keys, GAPS),
	OBJECT("lost", lost_keys),
	OBJECT("allocated", allocated_keys),
	OBJECT("totals", totals_keys),
	LIST("steps", step_keys, STEPS),
	OBJECT("pressure", pressure_keys),
	LIST("file_systems", file_system_keys, FILE_SYSTEMS),
	LIST("files", file_keys, FILES),
	PLAIN("files_count"),
	LIST("oom", oom_keys, OOM),
	OBJECT("series", series_keys),
	OBJECT("progress", progress_keys),
	LIST("tools", tool_keys, TOOLS),
	LIST("timeline", timeline_keys, TIMELINE),
	OBJECT("slurm_job", slurm_keys),
	END,
};

size_t part_form_share(size_t all, size_t nodes)
{
	return all > nodes ? all / nodes : 1;
}

/* The whole report shrinks with the square root of the number of nodes. */
size_t part_form_kept(size_t all, size_t nodes)
{
	size_t share = part_form_share(all, nodes), kept = share;

	while (nodes > WIDE_NODES && kept > 1 && kept * kept * nodes > share * share * WIDE_NODES)
		kept--;
	return kept;
}

struct part_bounds part_form_begin(size_t nodes)
{
	return (struct part_bounds){ nodes, SHARED_BYTES + PART_BYTES + nodes * NODE_BYTES, WEIGHT_MAX };
}

size_t part_form_bytes(const struct part_bounds *bounds)
{
	size_t bytes = PART_BYTES + SHARED_BYTES / (bounds->nodes ? bounds->nodes : 1);

	return bytes < bounds->bytes ? bytes : bounds->bytes;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

void part_form_count(struct part_bounds *bounds, size_t len)
{
	bounds->bytes -= smaller(len, bounds->bytes);
}

char *part_form_admit(const char *text, size_t len, struct part_bounds *bounds, const char *name, size_t *out_len,
		      struct error *err)
{
	size_t elements[LISTS];
	const struct json_filter_bounds form = { record_keys, elements, TEXT_BYTES, &bounds->weight };

	for (int i = 0; i < LISTS; i++)
		elements[i] = most[i];
	elements[TIMELINE] = part_form_share(PART_FORM_TIMELINE_ENTRIES, bounds->nodes);
	elements[FILES] =
		/* the most by bytes, and the most by opens */
		smaller(most[FILES], 2 * part_form_share(PART_FORM_FILES, bounds->nodes));
	elements[POINTS] = smaller(most[POINTS], COLUMNS * part_form_share(PART_FORM_SERIES_POINTS, bounds->nodes));
	return json_filter_within(text, len, &form, name, out_len, err);
}
