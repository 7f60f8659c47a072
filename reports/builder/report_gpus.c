/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_gpus.h"

#include <inttypes.h>
#include <math.h>

#include "reports/json/field.h"
#include "reports/records/record_parts.h"

/* A share that is more than 1 is forged. Returns NAN if it is not known. */
static double share_of(const struct record_gpu_share *share)
{
	if (share->known_ns <= 0 || share->busy_ns < 0 || share->busy_ns > share->known_ns)
		return NAN;
	return (double)share->busy_ns / (double)share->known_ns;
}

static void put_busy(const struct record_gpu_share *from, struct report_gpu *out)
{
	out->busy_share = share_of(from);
	if (!(out->busy_share >= 0))
		return;
	out->busy_source = from->counted_ns == from->known_ns ? "counters" : "samples";
	out->busy_known_s.ns = from->known_ns;
	out->busy_covered_s.ns = from->covered_ns;
}

/* The report has other names for shares and energy. */
static const char *report_name(const char *name)
{
	static const struct {
		const char *record, *report;
	} names[] = {
		{ "busy", "busy_share" },           { "sm", "sm_share" },        { "tensor", "tensor_share" },
		{ "bandwidth", "bandwidth_share" }, { "energy_mj", "energy_j" }, { "throttled", "throttled_heat_s" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (report_text_is(name, names[i].record))
			return names[i].report;
	return name;
}

static void put_absent(const struct record_gpu *from, struct report *report, struct report_gpu *out)
{
	out->absent.known = true;
	for (size_t i = 0; i < from->absent.count; i++) {
		const struct record_gap *gap = &from->absent.items[i];
		struct report_gap *absent;

		if (!gap->name || !gap->name[0] || !gap->reason || !gap->reason[0])
			continue;
		absent = REPORT_ADD(report, &out->absent, gap);
		absent->name = report_copy(report, report_name(gap->name));
		absent->reason = report_copy(report, gap->reason);
	}
}

static void put_processes(const struct record *record, const struct record_gpu *from, const struct merge_script *script,
			  struct report *report, struct report_gpu *out)
{
	out->processes.known = true;
	for (size_t i = 0; i < from->processes.count; i++) {
		const struct record_gpu_process *process = &from->processes.items[i];
		struct report_gpu_process *to;

		if (process->pid < 0)
			continue;
		to = REPORT_ADD(report, &out->processes, gpu_process);
		to->pid = process->pid;
		to->tool = report_copy(report, merge_tool_name(record, process->tool, script));
		to->memory_peak_bytes = process->memory_peak_bytes;
	}
}

static void put_xids(const struct record_gpu *from, struct report *report, struct report_gpu *out)
{
	out->xid_errors = from->xid_errors;
	for (size_t i = 0; i < from->xids.count; i++) {
		const struct record_gpu_xid *xid = &from->xids.items[i];
		struct report_gpu_xid *to;

		if (xid->xid < 0 || xid->count < 0)
			continue;
		out->xids.known = true;
		to = REPORT_ADD(report, &out->xids, gpu_xid);
		to->xid = xid->xid;
		to->count = xid->count;
	}
}

static void put_gpu(const struct record *record, const struct record_gpu *from, const struct merge_script *script,
		    struct report *report)
{
	struct report_gpu *out = REPORT_ADD(report, &report->gpus, gpu);

	out->node = report_copy(report, record_node(record));
	out->vendor = report_text_is(from->vendor, "amd") ? "amd" : "nvidia";
	out->model = report_copy(report, from->model);
	out->uuid = report_copy(report, from->uuid);
	out->pci = report_copy(report, from->pci);
	out->minor = from->minor;
	out->slice = from->slice;
	out->gpu_instance = from->gpu_instance;
	put_busy(&from->busy, out);
	if (from->idle_tail_ns >= 0)
		out->idle_tail_s.ns = from->idle_tail_ns;
	out->sm_share = share_of(&from->sm);
	out->tensor_share = share_of(&from->tensor);
	out->bandwidth_share = share_of(&from->bandwidth);
	out->memory_total_bytes = from->memory_total_bytes;
	out->memory_peak_bytes = from->memory_peak_bytes;
	out->job_memory_peak_bytes = from->job_memory_peak_bytes;
	if (from->energy_mj >= 0)
		out->energy_j = (double)from->energy_mj / 1000;
	put_xids(from, report, out);
	if (from->throttled_known_ns > 0) {
		out->throttled_heat_s.ns = from->throttled_heat_ns;
		out->throttled_power_s.ns = from->throttled_power_ns;
	}
	put_processes(record, from, script, report, out);
	put_absent(from, report, out);
}

/* Returns how many GPUs of @record the job used. */
static int64_t put_used(const struct record *record, const struct merge_script *script, struct report *report)
{
	int64_t used = 0;

	for (size_t i = 0; i < record->gpus.count; i++)
		if (record->gpus.items[i].used) {
			put_gpu(record, &record->gpus.items[i], script, report);
			used++;
		}
	return used;
}

/* The GPUs of each node must be known: the job can have used one of a node without readings, or without a record. */
static void put_listed(const struct record *const records[], size_t count, bool records_missing, struct report *report)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (records[i]->gpus_listed_ns < least)
			least = records[i]->gpus_listed_ns;
	if (report->gpus.known && count && !records_missing && least >= 0)
		report->gpus_listed_s.ns = least;
}

void gpus_put(const struct record *const records[], size_t count, bool records_missing, const struct merge_script *script,
	      int64_t allocated, struct making *making)
{
	struct report *report = making->report;
	int64_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const char *missing = records[i]->gpu_samples_missing;
		bool read = records[i]->gpus.known;

		if (allocated > 0 && missing && missing[0])
			making_gapf(making, "gpus", "%s: the GPUs were not read%s: %s", record_node(records[i]),
				    read ? " for some time" : "", missing);
		if (!read)
			continue;
		report->gpus.known = true;
		used += put_used(records[i], script, report);
	}
	put_listed(records, count, records_missing, report);
	if (report->gpus.known && allocated > used)
		making_gapf(making, "gpus",
			    "processes of the job were seen on %" PRId64 " of its %" PRId64
			    " GPUs; which ones the others are is not known",
			    used, allocated);
}
