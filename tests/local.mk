# SPDX-License-Identifier: GPL-2.0-or-later
# The system tests run on contrib/testbed: contrib/check runs them, "make check" builds what they need.
check_PROGRAMS += \
	tests/faults/ballast \
	tests/faults/spooler \
	tests/system/crowd \
	tests/system/peer \
	tests/system/racer \
	tests/system/reborn \
	tests/system/swarm \
	tests/system/worker \
	tests/system/workload/workload \
	#
# The tests' jobs are measured: no sanitizer is in them.
tests_faults_ballast_CFLAGS = $(PLAIN_CFLAGS)
tests_faults_ballast_LDFLAGS = -all-static # no linker's calls before its own
tests_system_crowd_CFLAGS = $(PLAIN_CFLAGS)
tests_system_crowd_LDFLAGS =
tests_system_reborn_CFLAGS = $(PLAIN_CFLAGS)
tests_system_reborn_LDFLAGS =
tests_system_worker_CFLAGS = $(PLAIN_CFLAGS)
tests_system_worker_LDFLAGS =
tests_system_workload_workload_CFLAGS = $(PLAIN_CFLAGS)
tests_system_workload_workload_LDFLAGS =
tests_faults_ballast_SOURCES = tests/faults/ballast.c
tests_faults_spooler_SOURCES = tests/faults/spooler.c
tests_faults_spooler_LDADD = collector/libcollector.la
tests_system_crowd_SOURCES = tests/system/crowd.c
tests_system_peer_SOURCES = tests/system/peer.c
tests_system_racer_SOURCES = tests/system/racer.c
tests_system_reborn_SOURCES = tests/system/reborn.c
tests_system_swarm_SOURCES = tests/system/swarm.c
tests_system_swarm_LDADD = -lpthread
tests_system_worker_SOURCES = tests/system/worker.c
tests_system_worker_LDADD = -lpthread
tests_system_workload_workload_SOURCES = \
	tests/system/workload/compute.c \
	tests/system/workload/count.c \
	tests/system/workload/count.h \
	tests/system/workload/files.c \
	tests/system/workload/main.c \
	tests/system/workload/memory.c \
	tests/system/workload/network.c \
	tests/system/workload/process.c \
	tests/system/workload/waiting.c \
	tests/system/workload/workload.h \
	#
tests_system_workload_workload_LDADD = -lpthread
# A stintd of another layout (RECORD_TEST_LAYOUT in bpf/record.h), to be replaced by ours and the other way round.
check_PROGRAMS += tests/system/other/stintd
tests_system_other_stintd_SOURCES = collector/main.c $(collector_libcollector_la_SOURCES)
nodist_tests_system_other_stintd_SOURCES = tests/system/other/stint.skel.h tests/system/other/former.skel.h
tests_system_other_stintd_CPPFLAGS = $(AM_CPPFLAGS) -DRECORD_TEST_LAYOUT
tests_system_other_stintd_CFLAGS = $(collector_libcollector_la_CFLAGS)
tests_system_other_stintd_LDADD = $(collector_libcollector_la_LIBADD)
OTHER_BPF_OBJECTS = $(BPF_FILES:bpf/%.bpf.c=tests/system/other/%.bpf.o)
tests/system/other/%.bpf.o: bpf/%.bpf.c
	$(AM_V_CC)$(MKDIR_P) tests/system/other && $(BPF_CLANG) $(BPF_CFLAGS) -DRECORD_TEST_LAYOUT -MMD -MP -MF $@.d -c $< -o $@
tests/system/other/stint.bpf.o: $(OTHER_BPF_OBJECTS)
	$(AM_V_GEN)$(BPFTOOL) gen object $@ $(OTHER_BPF_OBJECTS)
tests/system/other/stint.skel.h: tests/system/other/stint.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton tests/system/other/stint.bpf.o name stint_bpf > $@.tmp && mv $@.tmp $@
tests/system/other/former.skel.h: tests/system/other/former.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton tests/system/other/former.bpf.o name former_bpf > $@.tmp && mv $@.tmp $@
# Nothing knows yet that it needs the skeleton, and the normal build is not to make it.
collector/tests_system_other_stintd-programs.$(OBJEXT) collector/tests_system_other_stintd-programs_drain.$(OBJEXT): \
	tests/system/other/stint.skel.h tests/system/other/former.skel.h
-include $(OTHER_BPF_OBJECTS:=.d) tests/system/other/former.bpf.o.d
CLEANFILES += \
	tests/system/other/stint.skel.h \
	tests/system/other/stint.bpf.o \
	tests/system/other/former.skel.h \
	tests/system/other/former.bpf.o \
	tests/system/other/former.bpf.o.d \
	$(OTHER_BPF_OBJECTS) \
	$(OTHER_BPF_OBJECTS:=.d) \
	#
# The tests' network file system. Where it cannot be built, they say so and skip.
if HAVE_FUSE3
check_PROGRAMS += tests/system/slowfs
endif
tests_system_slowfs_SOURCES = tests/system/slowfs.c
tests_system_slowfs_CFLAGS = $(PLAIN_CFLAGS) $(FUSE3_CFLAGS)
tests_system_slowfs_LDFLAGS =
tests_system_slowfs_LDADD = $(FUSE3_LIBS)
# The long forms of suites that contrib/check runs for seconds: a thousand kills, half an hour of jobs, thousands of
# races, each call of bpf() refused in each way. As root.
soak: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS=
	STINT_BUILD=$(abs_builddir) STINT_KILLS=1000 bats --tap $(srcdir)/tests/system/kill.bats
	STINT_BUILD=$(abs_builddir) STINT_SOAK_S=1800 bats --tap $(srcdir)/tests/system/soak.bats
	STINT_BUILD=$(abs_builddir) STINT_RACE_TIMES=5000 bats --tap $(srcdir)/tests/system/writer.bats
	STINT_BUILD=$(abs_builddir) STINT_TEST_LONG=1 bats --tap $(srcdir)/tests/system/programs.bats
.PHONY: soak

# What the documents show of stint's output, made by the stint that was built. tests/unit/docs_examples holds it to that.
update-examples: all
	STINT=$(abs_builddir)/reports/stint $(srcdir)/contrib/examples/update
.PHONY: update-examples

TESTS += tests/unit/docs_examples tests/unit/docs_reliability
EXTRA_DIST += \
	tests/unit/data/example/stint-1.json \
	tests/unit/data/example/stint-6.json \
	tests/unit/data/example/stint-7.json \
	tests/unit/data/example/stint-8.json \
	tests/unit/data/example/stint-9.json \
	tests/unit/data/example/stint-10.json \
	tests/unit/docs_examples \
	tests/unit/docs_reliability \
	tests/faults/check-report \
	tests/faults/check-spool \
	tests/faults/run \
	tests/system/accounting.bats \
	tests/system/batch.bats \
	tests/system/collector.bats \
	tests/system/commands.bats \
	tests/system/counting.bats \
	tests/system/delay.bash \
	tests/system/doctor.bats \
	tests/system/faults.bats \
	tests/system/helper.bash \
	tests/system/kill.bats \
	tests/system/hostile-job \
	tests/system/hostile.bats \
	tests/system/layouts.bats \
	tests/system/limits.bats \
	tests/system/map-bytes \
	tests/system/mail.bats \
	tests/system/membership.bats \
	tests/system/nodes.bats \
	tests/system/pipeline.bats \
	tests/system/programs.bats \
	tests/system/poll-cpu \
	tests/system/scripts.bats \
	tests/system/secrets.bats \
	tests/system/shapes.bats \
	tests/system/show.bats \
	tests/system/soak.bats \
	tests/system/socket.bats \
	tests/system/spank.bats \
	tests/system/spool.bats \
	tests/system/steps.bats \
	tests/system/testbed.bats \
	tests/system/time.bats \
	tests/system/timelimit.bats \
	tests/system/truth-cpu.bats \
	tests/system/truth-io.bats \
	tests/system/truth-memory.bats \
	tests/system/truth-network.bats \
	tests/system/truth-process.bats \
	tests/system/truth-waits.bats \
	tests/system/truth.bash \
	tests/system/upgrade.bats \
	tests/system/workflows.bats \
	tests/system/writer.bats \
	tests/vm/cgroup2.bats \
	tests/vm/clock.bats \
	tests/vm/crash \
	tests/vm/guest \
	tests/vm/init \
	tests/vm/machine.bash \
	tests/vm/reboot.bats \
	tests/vm/run \
	tests/vm/suites \
	#

include tests/bench/local.mk
include tests/fuzz/local.mk

# With --enable-sanitizers; contrib/check runs them.
if SANITIZERS
check_PROGRAMS += tests/sanitized/leak
endif
tests_sanitized_leak_SOURCES = tests/sanitized/leak.c
EXTRA_DIST += tests/sanitized/leaks.bats
