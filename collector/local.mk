# SPDX-License-Identifier: GPL-2.0-or-later
# stintd. All but main() is a library, so that the unit tests can link it.
noinst_LTLIBRARIES += collector/libcollector.la
collector_libcollector_la_SOURCES = \
	collector/budget.c \
	collector/budget.h \
	collector/cgroup.c \
	collector/cgroup.h \
	collector/clock.h \
	collector/close.c \
	collector/close.h \
	collector/collector.h \
	collector/follow.c \
	collector/follow.h \
	collector/follow_count.c \
	collector/follow_own.h \
	collector/follow_resume.c \
	collector/interpreters.c \
	collector/interpreters.h \
	collector/job.c \
	collector/job.h \
	collector/json.c \
	collector/json.h \
	collector/keep.c \
	collector/keep.h \
	collector/live.c \
	collector/live.h \
	collector/log.c \
	collector/log.h \
	collector/oom.c \
	collector/oom.h \
	collector/programs.c \
	collector/programs.h \
	collector/programs_bound.c \
	collector/programs_choose.c \
	collector/programs_drain.c \
	collector/programs_drain.h \
	collector/programs_drain_maps.c \
	collector/programs_jobs.c \
	collector/programs_maps.c \
	collector/programs_old.c \
	collector/programs_old.h \
	collector/programs_own.h \
	collector/programs_pins.c \
	collector/programs_walk.c \
	collector/programs_warm.c \
	collector/progress.c \
	collector/progress.h \
	collector/record.c \
	collector/record.h \
	collector/record_own.h \
	collector/record_samples.c \
	collector/record_tools.c \
	collector/record_totals.c \
	collector/record_waits.c \
	collector/sample.c \
	collector/sample.h \
	collector/series.c \
	collector/series.h \
	collector/server.c \
	collector/server.h \
	collector/show.c \
	collector/show.h \
	collector/slots.c \
	collector/slots.h \
	collector/spool.c \
	collector/spool.h \
	collector/status.c \
	collector/status.h \
	collector/syscall_numbers.h \
	collector/syscalls.c \
	collector/syscalls.h \
	collector/timeline.c \
	collector/timeline.h \
	collector/topology.c \
	collector/topology.h \
	collector/translate.c \
	collector/translate.h \
	collector/use.c \
	collector/use.h \
	#
nodist_collector_libcollector_la_SOURCES = bpf/stint.skel.h bpf/former.skel.h
collector_libcollector_la_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(JSON_C_CFLAGS) $(HWLOC_CFLAGS)
collector_libcollector_la_LIBADD = \
	collector/common/libcommon.la \
	$(LIBBPF_LIBS) \
	$(JSON_C_LIBS) \
	$(HWLOC_LIBS) \
	#

sbin_PROGRAMS += collector/stintd
collector_stintd_SOURCES = collector/main.c
collector_stintd_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(JSON_C_CFLAGS)
collector_stintd_LDADD = collector/libcollector.la

if HAVE_CMOCKA
collector_unit_tests = \
	tests/unit/collector_budget \
	tests/unit/collector_cgroup \
	tests/unit/collector_job \
	tests/unit/collector_keep \
	tests/unit/collector_live \
	tests/unit/collector_oom \
	tests/unit/collector_progress \
	tests/unit/collector_series \
	tests/unit/collector_spool \
	tests/unit/collector_tables \
	tests/unit/collector_timeline \
	#
check_PROGRAMS += $(collector_unit_tests)
TESTS += $(collector_unit_tests)

tests_unit_collector_job_SOURCES = tests/unit/collector_job.c
tests_unit_collector_job_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_job_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_cgroup_SOURCES = tests/unit/collector_cgroup.c
tests_unit_collector_cgroup_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_cgroup_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_keep_SOURCES = tests/unit/collector_keep.c
tests_unit_collector_keep_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_keep_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_timeline_SOURCES = tests/unit/collector_timeline.c
tests_unit_collector_timeline_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_timeline_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_budget_SOURCES = tests/unit/collector_budget.c
tests_unit_collector_budget_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_budget_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_live_SOURCES = tests/unit/collector_live.c
tests_unit_collector_live_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_live_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_oom_SOURCES = tests/unit/collector_oom.c
tests_unit_collector_oom_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_oom_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_progress_SOURCES = tests/unit/collector_progress.c
tests_unit_collector_progress_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_progress_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_series_SOURCES = tests/unit/collector_series.c
tests_unit_collector_series_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_series_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_spool_SOURCES = tests/unit/collector_spool.c
tests_unit_collector_spool_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_collector_spool_LDADD = collector/libcollector.la $(CMOCKA_LIBS)
tests_unit_collector_tables_SOURCES = tests/unit/collector_tables.c
tests_unit_collector_tables_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JSON_C_CFLAGS)
tests_unit_collector_tables_LDADD = collector/libcollector.la $(CMOCKA_LIBS) $(JSON_C_LIBS)
endif
