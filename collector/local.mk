# SPDX-License-Identifier: GPL-2.0-or-later
# stintd. All but main() is a library, so that the unit tests can link it.
noinst_LTLIBRARIES += collector/libcollector.la
collector_libcollector_la_SOURCES = \
	collector/answer_query.c \
	collector/answer_query.h \
	collector/asking.c \
	collector/asking.h \
	collector/close_job.c \
	collector/close_job.h \
	collector/collector.h \
	collector/deliver.c \
	collector/deliver.h \
	collector/daemon/check.c \
	collector/daemon/check.h \
	collector/follow/admit.c \
	collector/follow/admit.h \
	collector/follow/before.c \
	collector/follow/before.h \
	collector/follow/count_step.c \
	collector/follow/count_step.h \
	collector/follow/end_job.c \
	collector/follow/end_job.h \
	collector/follow/follow.c \
	collector/follow/follow.h \
	collector/follow/gpu_watch.c \
	collector/follow/gpu_watch.h \
	collector/follow/keep.c \
	collector/follow/keep.h \
	collector/follow/open_step.c \
	collector/follow/open_step.h \
	collector/follow/overdue.c \
	collector/follow/overdue.h \
	collector/follow/resume.c \
	collector/follow/resume.h \
	collector/follow/scan_threads.c \
	collector/follow/scan_threads.h \
	collector/follow/take_event.c \
	collector/follow/take_event.h \
	collector/gpu/gpu_number.h \
	collector/gpu/gpu_protocol.c \
	collector/gpu/gpu_protocol.h \
	collector/host/cgroup.c \
	collector/host/cgroup.h \
	collector/host/cgroup_processes.c \
	collector/host/log.c \
	collector/host/log.h \
	collector/host/loop.c \
	collector/host/loop.h \
	collector/host/standby.c \
	collector/host/standby.h \
	collector/host/systemd.c \
	collector/host/systemd.h \
	collector/host/topology.c \
	collector/host/topology.h \
	collector/job/job.c \
	collector/job/job.h \
	collector/job/job_budget.c \
	collector/job/job_budget.h \
	collector/job/job_gpus.c \
	collector/job/job_gpus.h \
	collector/job/job_oom.c \
	collector/job/job_oom.h \
	collector/job/job_phase.c \
	collector/job/job_phase.h \
	collector/job/job_progress.c \
	collector/job/job_progress.h \
	collector/job/job_series.c \
	collector/job/job_series.h \
	collector/job/job_timeline.c \
	collector/job/job_timeline.h \
	collector/job/use.c \
	collector/job/use.h \
	collector/job/node_sums.c \
	collector/job/node_sums.h \
	collector/job/wait_rate.c \
	collector/job/wait_rate.h \
	collector/journal/handover.c \
	collector/journal/handover.h \
	collector/journal/journal.c \
	collector/journal/journal_closed.c \
	collector/journal/journal.h \
	collector/journal/journal_file.c \
	collector/journal/journal_file.h \
	collector/kernel/casts.c \
	collector/kernel/casts.h \
	collector/kernel/features.c \
	collector/kernel/features.h \
	collector/kernel/gpu_devices.c \
	collector/kernel/gpu_devices.h \
	collector/kernel/interpreters.c \
	collector/kernel/interpreters.h \
	collector/kernel/kernel_btf.c \
	collector/kernel/kernel_btf.h \
	collector/kernel/map_shares.c \
	collector/kernel/map_shares.h \
	collector/kernel/old_programs.c \
	collector/kernel/old_programs.h \
	collector/kernel/own_entries.c \
	collector/kernel/own_entries.h \
	collector/kernel/pin_names.c \
	collector/kernel/pin_names.h \
	collector/kernel/programs.c \
	collector/kernel/programs.h \
	collector/kernel/programs_choose.c \
	collector/kernel/programs_internal.h \
	collector/kernel/programs_jobs.c \
	collector/kernel/programs_load.c \
	collector/kernel/programs_map_sizes.c \
	collector/kernel/programs_maps.c \
	collector/kernel/programs_pins.c \
	collector/kernel/programs_scan.c \
	collector/kernel/programs_walk.c \
	collector/kernel/programs_warm.c \
	collector/kernel/slots.c \
	collector/kernel/slots.h \
	collector/kernel/syscall_numbers.h \
	collector/kernel/syscalls.c \
	collector/kernel/syscalls.h \
	collector/kernel/upgrade/translate.c \
	collector/kernel/upgrade/translate.h \
	collector/kernel/upgrade/upgrade.c \
	collector/kernel/upgrade/upgrade.h \
	collector/kernel/upgrade/upgrade_internal.h \
	collector/kernel/upgrade/upgrade_maps.c \
	collector/metrics/metrics.c \
	collector/metrics/metrics.h \
	collector/metrics/metrics_gpus.c \
	collector/metrics/metrics_health.c \
	collector/metrics/metrics_internal.h \
	collector/metrics/metrics_jobs.c \
	collector/pressure_limit.c \
	collector/pressure_limit.h \
	collector/query_turns.c \
	collector/query_turns.h \
	collector/record/keeper.c \
	collector/record/keeper.h \
	collector/record/node_record.c \
	collector/record/node_record.h \
	collector/record/node_record_containers.c \
	collector/record/node_record_gap.c \
	collector/record/node_record_gpu_files.c \
	collector/record/node_record_gpus.c \
	collector/record/node_record_moved.c \
	collector/record/node_record_internal.h \
	collector/record/node_record_living.c \
	collector/record/node_record_samples.c \
	collector/record/node_record_tools.c \
	collector/record/node_record_totals.c \
	collector/record/node_record_waits.c \
	collector/record/spool.c \
	collector/record/spool.h \
	collector/reply.c \
	collector/reply.h \
	collector/retry.c \
	collector/retry.h \
	collector/sample.c \
	collector/sample.h \
	collector/sampler/gpu_helper.c \
	collector/sampler/gpu_helper.h \
	collector/server.c \
	collector/server.h \
	collector/share_tables.c \
	collector/share_tables.h \
	collector/status.c \
	collector/status.h \
	collector/store.c \
	collector/store.h \
	collector/tally.c \
	collector/tally.h \
	collector/writer/staying.c \
	collector/writer/staying.h \
	collector/writer/writer_cgroups.c \
	collector/writer/writer_cgroups.h \
	collector/writer/writer_start.c \
	collector/writer/writer_start.h \
	#
nodist_collector_libcollector_la_SOURCES = bpf/stint.skel.h bpf/former.skel.h
collector_libcollector_la_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(JSON_C_CFLAGS) $(HWLOC_CFLAGS)
collector_libcollector_la_LIBADD = \
	common/libcommon.la \
	$(LIBBPF_LIBS) \
	$(JSON_C_LIBS) \
	$(HWLOC_LIBS) \
	#

sbin_PROGRAMS += collector/stintd
collector_stintd_SOURCES = collector/daemon/main.c
collector_stintd_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(JSON_C_CFLAGS)
collector_stintd_LDADD = collector/libcollector.la

# It loads libraries of others, which have no sanitizer, so it has none, and it links libc alone.
pkglibexec_PROGRAMS += collector/stint-gpu
collector_stint_gpu_SOURCES = \
	collector/gpu/gpu_confine.c \
	collector/gpu/gpu_confine.h \
	collector/gpu/gpu_list.c \
	collector/gpu/gpu_list.h \
	collector/gpu/gpu_number.h \
	collector/gpu/gpu_protocol.h \
	collector/gpu/gpu_source.c \
	collector/gpu/gpu_source.h \
	collector/gpu/nvml.c \
	collector/gpu/nvml.h \
	collector/gpu/nvml_abi.h \
	collector/gpu/nvml_busy.c \
	collector/gpu/nvml_events.c \
	collector/gpu/nvml_internal.h \
	collector/gpu/nvml_why.c \
	collector/gpu/rsmi.c \
	collector/gpu/rsmi.h \
	collector/gpu/rsmi_abi.h \
	collector/gpu/stint_gpu.c \
	common/error.c \
	common/error.h \
	common/escape.c \
	common/escape.h \
	common/file.c \
	common/file.h \
	common/usage.c \
	common/usage.h \
	common/utf8.c \
	common/utf8.h \
	#
collector_stint_gpu_CFLAGS = $(PLAIN_CFLAGS)
collector_stint_gpu_LDFLAGS =
# a libc before 2.34 has dlopen() in libdl
collector_stint_gpu_LDADD = -ldl
