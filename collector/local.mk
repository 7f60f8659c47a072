# SPDX-License-Identifier: GPL-2.0-or-later
# stintd. All but main() is a library, so that the unit tests can link it.
noinst_LTLIBRARIES += collector/libcollector.la
collector_libcollector_la_SOURCES = \
	collector/answer_query.c \
	collector/answer_query.h \
	collector/asking.c \
	collector/asking.h \
	collector/check.c \
	collector/check.h \
	collector/close_job.c \
	collector/close_job.h \
	collector/collector.h \
	collector/deliver.c \
	collector/deliver.h \
	collector/follow.c \
	collector/follow.h \
	collector/follow_before.c \
	collector/follow_count.c \
	collector/follow_internal.h \
	collector/follow_resume.c \
	collector/host/cgroup.c \
	collector/host/cgroup.h \
	collector/host/cgroup_processes.c \
	collector/host/child.c \
	collector/host/child.h \
	collector/host/log.c \
	collector/host/log.h \
	collector/host/standby.c \
	collector/host/standby.h \
	collector/host/stretch.c \
	collector/host/stretch.h \
	collector/host/topology.c \
	collector/host/topology.h \
	collector/job/job.c \
	collector/job/job.h \
	collector/job/job_budget.c \
	collector/job/job_budget.h \
	collector/job/job_oom.c \
	collector/job/job_oom.h \
	collector/job/job_progress.c \
	collector/job/job_progress.h \
	collector/job/job_series.c \
	collector/job/job_series.h \
	collector/job/job_timeline.c \
	collector/job/job_timeline.h \
	collector/job/use.c \
	collector/job/use.h \
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
	collector/overdue.c \
	collector/overdue.h \
	collector/pressure_limit.c \
	collector/pressure_limit.h \
	collector/query_turns.c \
	collector/query_turns.h \
	collector/record/keeper.c \
	collector/record/keeper.h \
	collector/record/node_record.c \
	collector/record/node_record.h \
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
collector_stintd_SOURCES = collector/main.c
collector_stintd_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(JSON_C_CFLAGS)
collector_stintd_LDADD = collector/libcollector.la
