# SPDX-License-Identifier: GPL-2.0-or-later
# The system tests run on contrib/testbed: contrib/check runs them, "make check" builds what they need.
check_PROGRAMS += \
	tests/faults/ballast \
	tests/faults/spooler \
	tests/system/crowd \
	tests/system/peer \
	tests/system/racer \
	tests/system/reborn \
	tests/system/spliced \
	tests/system/standin \
	tests/system/stopper \
	tests/system/swarm \
	tests/system/worker \
	tests/system/workload/workload \
	#
# A store for stint-site: tests/cli/site.bats and reconcile.bats
check_PROGRAMS += tests/site/batches
tests_site_batches_SOURCES = tests/site/batches.c
tests_site_batches_LDADD = reports/libreports.la
# What packed lines have in common: reports/lines/line_words_2.h
if HAVE_SITE
EXTRA_PROGRAMS += tests/site/line_words
tests_site_line_words_SOURCES = tests/site/line_words.c
tests_site_line_words_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)
tests_site_line_words_LDADD = reports/libsite.la
endif
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
tests_faults_ballast_LDADD =
tests_faults_spooler_SOURCES = tests/faults/spooler.c
tests_faults_spooler_LDADD = collector/libcollector.la
tests_system_crowd_SOURCES = tests/system/crowd.c
tests_system_crowd_LDADD =
tests_system_peer_SOURCES = tests/system/peer.c
tests_system_peer_LDADD =
tests_system_racer_SOURCES = tests/system/racer.c
tests_system_racer_LDADD =
tests_system_reborn_SOURCES = tests/system/reborn.c
tests_system_reborn_LDADD =
tests_system_spliced_CFLAGS = $(PLAIN_CFLAGS)
tests_system_spliced_LDFLAGS =
tests_system_spliced_SOURCES = tests/system/spliced.c
tests_system_spliced_LDADD =
tests_system_standin_CFLAGS = $(PLAIN_CFLAGS)
tests_system_standin_LDFLAGS =
tests_system_standin_SOURCES = tests/system/standin.c
tests_system_standin_LDADD =
tests_system_stopper_SOURCES = tests/system/stopper.c
tests_system_stopper_LDADD =
tests_system_swarm_SOURCES = tests/system/swarm.c
tests_system_swarm_LDADD = -lpthread
tests_system_worker_SOURCES = tests/system/worker.c
tests_system_worker_LDADD = -lpthread
tests_system_workload_workload_SOURCES = \
	tests/system/workload/calls.c \
	tests/system/workload/compute.c \
	tests/system/workload/count.c \
	tests/system/workload/count.h \
	tests/system/workload/files.c \
	tests/system/workload/main.c \
	tests/system/workload/memory.c \
	tests/system/workload/network.c \
	tests/system/workload/pressure.c \
	tests/system/workload/process.c \
	tests/system/workload/waiting.c \
	tests/system/workload/workload.h \
	#
tests_system_workload_workload_LDADD = -lpthread
# A kernel that refuses some programs, as tests/system/programs.bats wants it.
check_LTLIBRARIES += tests/system/refuse.la
tests_system_refuse_la_SOURCES = tests/system/refuse.c
tests_system_refuse_la_CFLAGS = $(PLAIN_CFLAGS) -D_GNU_SOURCE
tests_system_refuse_la_LDFLAGS = -module -avoid-version -shared -rpath /nonexistent # a library that is not installed
# Objects by other compilers, loaded by hand and by stintd (tests/system/compilers.bats).
check_PROGRAMS += tests/system/loads
check_LTLIBRARIES += tests/system/object.la
tests_system_object_la_SOURCES = tests/system/object.c
tests_system_object_la_CFLAGS = $(PLAIN_CFLAGS) $(LIBBPF_CFLAGS) -D_GNU_SOURCE
tests_system_object_la_LDFLAGS = $(tests_system_refuse_la_LDFLAGS)
tests_system_loads_SOURCES = tests/system/loads.c
nodist_tests_system_loads_SOURCES = bpf/stint.skel.h bpf/former.skel.h
tests_system_loads_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) -D_GNU_SOURCE
tests_system_loads_LDADD = collector/libcollector.la common/libcommon.la $(LIBBPF_LIBS)
# A stintd of another layout, to be replaced by ours and the other way round.
check_PROGRAMS += tests/system/other/stintd
tests_system_other_stintd_SOURCES = collector/daemon/main.c $(collector_libcollector_la_SOURCES)
nodist_tests_system_other_stintd_SOURCES = tests/system/other/bpf/stint.skel.h tests/system/other/bpf/former.skel.h
# its headers and skeletons come before ours
tests_system_other_stintd_CPPFLAGS = -I$(builddir)/tests/system/other $(AM_CPPFLAGS)
OTHER_LAYOUT = tests/system/other/common/sum_list.h tests/system/other/bpf/abi.h tests/system/other/bpf/maps.h
tests/system/other/headers: tests/system/other-layout common/sum_list.h bpf/abi.h bpf/maps.h
	$(AM_V_GEN)$(srcdir)/tests/system/other-layout $(srcdir) tests/system/other && touch $@
$(OTHER_LAYOUT): tests/system/other/headers
tests_system_other_stintd_CFLAGS = $(collector_libcollector_la_CFLAGS)
tests_system_other_stintd_LDADD = $(collector_libcollector_la_LIBADD)
OTHER_BPF_OBJECTS = $(BPF_FILES:bpf/programs/%.bpf.c=tests/system/other/%.bpf.o)
tests/system/other/%.bpf.o: bpf/programs/%.bpf.c tests/system/other/headers
	$(AM_V_CC)$(MKDIR_P) tests/system/other && $(BPF_CLANG) -Itests/system/other $(BPF_CFLAGS) -MMD -MP -MF $@.d -c $< -o $@
tests/system/other/stint.bpf.o: $(OTHER_BPF_OBJECTS)
	$(AM_V_GEN)$(BPFTOOL) gen object $@ $(OTHER_BPF_OBJECTS)
tests/system/other/bpf/stint.skel.h: tests/system/other/stint.bpf.o
	$(AM_V_GEN)$(MKDIR_P) tests/system/other/bpf && $(BPFTOOL) gen skeleton tests/system/other/stint.bpf.o name stint_bpf > $@.tmp && mv $@.tmp $@
tests/system/other/bpf/former.skel.h: tests/system/other/former.bpf.o
	$(AM_V_GEN)$(MKDIR_P) tests/system/other/bpf && $(BPFTOOL) gen skeleton tests/system/other/former.bpf.o name former_bpf > $@.tmp && mv $@.tmp $@
# Nothing knows yet what it needs, and the normal build is not to make it.
$(tests_system_other_stintd_OBJECTS): tests/system/other/headers tests/system/other/bpf/stint.skel.h tests/system/other/bpf/former.skel.h
-include $(OTHER_BPF_OBJECTS:=.d) tests/system/other/former.bpf.o.d
CLEANFILES += \
	$(OTHER_LAYOUT) \
	tests/system/other/headers \
	tests/system/other/bpf/stint.skel.h \
	tests/system/other/stint.bpf.o \
	tests/system/other/bpf/former.skel.h \
	tests/system/other/former.bpf.o \
	tests/system/other/former.bpf.o.d \
	$(OTHER_BPF_OBJECTS) \
	$(OTHER_BPF_OBJECTS:=.d) \
	#
# The tests' network file system and GPU. Where they cannot be built, they say so and skip.
if HAVE_FUSE3
check_PROGRAMS += tests/system/slowfs
check_PROGRAMS += tests/system/gpudevice
endif
tests_system_slowfs_SOURCES = tests/system/slowfs.c
tests_system_slowfs_CFLAGS = $(PLAIN_CFLAGS) $(FUSE3_CFLAGS)
tests_system_slowfs_LDFLAGS =
tests_system_slowfs_LDADD = $(FUSE3_LIBS)
tests_system_gpudevice_SOURCES = tests/system/gpudevice.c
tests_system_gpudevice_CFLAGS = $(PLAIN_CFLAGS) $(FUSE3_CFLAGS)
tests_system_gpudevice_LDFLAGS =
tests_system_gpudevice_LDADD = $(FUSE3_LIBS)
# The long forms of suites that contrib/check runs for seconds: a thousand kills, half an hour of jobs, thousands of
# races, each call of bpf() refused in each way, the kernel without each of its features. As root.
soak: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS=
	STINT_BUILD=$(abs_builddir) STINT_KILLS=1000 bats --tap $(srcdir)/tests/system/kill.bats
	STINT_BUILD=$(abs_builddir) STINT_SOAK_S=1800 bats --tap $(srcdir)/tests/system/soak.bats
	STINT_BUILD=$(abs_builddir) STINT_RACE_TIMES=5000 bats --tap $(srcdir)/tests/system/writer.bats
	STINT_BUILD=$(abs_builddir) STINT_TEST_LONG=1 bats --tap $(srcdir)/tests/system/programs.bats
	STINT_BUILD=$(abs_builddir) STINT_TEST_LONG=1 bats --tap $(srcdir)/tests/system/features.bats
.PHONY: soak

# What the documents show of stint's output, made by the stint that was built. tests/tree/docs_examples holds it to that.
update-examples: all
	STINT=$(abs_builddir)/reports/stint $(srcdir)/contrib/examples/update
.PHONY: update-examples

# The pictures in docs/, as a headless Chromium shows the pages.
update-pictures: all
	STINT=$(abs_builddir)/reports/stint $(srcdir)/contrib/examples/pictures
.PHONY: update-pictures

TESTS += tests/tree/check_confirm tests/tree/check_counts tests/tree/check_turns tests/tree/ci tests/tree/diagnostics tests/tree/docs_examples tests/tree/docs_reliability tests/tree/doctor_fails \
	tests/tree/installation tests/tree/installed_pages tests/tree/kernel_features tests/tree/parameters tests/tree/release
EXTRA_DIST += \
	tests/data/pictures/failure.json \
	tests/data/pictures/idle.json \
	tests/data/pictures/oom.json \
	tests/data/pictures/oversubscribed.json \
	tests/data/pictures/starved.json \
	tests/data/example/stint-1.json \
	tests/data/example/stint-6.json \
	tests/data/example/stint-7.json \
	tests/data/example/stint-8.json \
	tests/data/example/stint-9.json \
	tests/data/example/stint-10.json \
	tests/tree/check_confirm \
	tests/tree/check_counts \
	tests/tree/check_turns \
	tests/tree/ci \
	tests/tree/diagnostics \
	tests/tree/docs_examples \
	tests/tree/docs_reliability \
	tests/tree/doctor_fails \
	tests/tree/installation \
	tests/tree/installed_pages \
	tests/tree/kernel_features \
	tests/tree/parameters \
	tests/tree/release \
	tests/faults/check-report \
	tests/faults/check-spool \
	tests/faults/run \
	tests/system/accounting.bats \
	tests/system/attack-notes.bats \
	tests/system/attack-tables.bats \
	tests/system/attack-walks.bats \
	tests/system/attack-planted.bats \
	tests/system/attack-writers.bats \
	tests/system/batch.bats \
	tests/system/btf_without.py \
	tests/system/cluster.bats \
	tests/system/collector.bats \
	tests/system/commands.bats \
	tests/system/compilers.bats \
	tests/system/counting.bats \
	tests/system/endings.bats \
	tests/system/delay.bash \
	tests/system/doctor.bats \
	tests/system/faults.bats \
	tests/system/features.bats \
	tests/system/endless \
	tests/system/gpu.bats \
	tests/system/guard \
	tests/system/helper.bash \
	tests/system/kill.bats \
	tests/system/hostile-job \
	tests/system/gpus.bats \
	tests/system/hostile.bats \
	tests/system/launch.bats \
	tests/system/layouts.bats \
	tests/system/limits.bats \
	tests/system/map-bytes \
	tests/system/locks.bats \
	tests/system/locks/Locks.java \
	tests/system/locks/burn.h \
	tests/system/locks/critical.c \
	tests/system/locks/locks.go \
	tests/system/locks/locks.rs \
	tests/system/locks/mutex.c \
	tests/system/locks/mutex.cc \
	tests/system/locks/pool.c \
	tests/system/locks/pool.py \
	tests/system/mail.bats \
	tests/system/membership.bats \
	tests/system/metrics.bats \
	tests/system/nodes.bats \
	tests/system/off.bats \
	tests/system/contain.bats \
	tests/system/containers.bats \
	tests/system/overdue.bats \
	tests/system/other-layout \
	tests/system/pipeline.bats \
	tests/system/pressure_model.py \
	tests/system/programs.bats \
	tests/system/quota.bash \
	tests/system/poll-cpu \
	tests/system/serve-one \
	tests/system/roots.bats \
	tests/system/rows.bats \
	tests/system/runtimes.bats \
	tests/system/runtimes/mapped.c \
	tests/system/runtimes/spin.c \
	tests/system/scripts.bats \
	tests/system/secrets.bats \
	tests/system/shapes.bats \
	tests/system/site.bats \
	tests/system/show.bats \
	tests/system/sluid.bash \
	tests/system/soak.bats \
	tests/system/socket.bats \
	tests/system/spank.bats \
	tests/system/spool.bats \
	tests/system/start.bats \
	tests/system/status.bats \
	tests/system/steps.bats \
	tests/system/store.bats \
	tests/system/testbed.bats \
	tests/system/time.bats \
	tests/system/timelimit.bats \
	tests/system/tracefs.bash \
	tests/system/truth-cpu.bats \
	tests/system/truth-io.bats \
	tests/system/truth-memory.bats \
	tests/system/truth-network.bats \
	tests/system/truth-pressure.bats \
	tests/system/truth-process.bats \
	tests/system/trust.bats \
	tests/system/truth-waits.bats \
	tests/system/truth.bash \
	tests/system/unbound.bats \
	tests/system/upgrade.bats \
	tests/system/views.bats \
	tests/system/watch.py \
	tests/system/workflows.bats \
	tests/system/writer-memory.bats \
	tests/system/writer.bats \
	tests/vm/arm64-build \
	tests/vm/arm64.bats \
	tests/vm/cgroup2.bats \
	tests/vm/clock.bats \
	tests/vm/crash \
	tests/vm/devices.bash \
	tests/vm/fuse.bats \
	tests/vm/gpu-opens.bats \
	tests/vm/gpu.bats \
	tests/vm/guest \
	tests/vm/guest-systemd \
	tests/vm/init \
	tests/vm/machine.bash \
	tests/vm/nfs.bats \
	tests/vm/plain.bash \
	tests/vm/reboot.bats \
	tests/vm/rt.bats \
	tests/vm/run \
	tests/vm/suites \
	tests/vm/unit.bats \
	tests/vm/wide.bats \
	#

include tests/unit/local.mk
include tests/bench/local.mk
include tests/fuzz/local.mk
include tests/gpu/local.mk
include tests/real/local.mk

# Parts of what "make check" builds, for contrib/check: what suites on Slurm need of a plain build, and of one with sanitizers, whose unit
# tests and fuzz targets run, too.
.PHONY: system-programs unit-programs
unit_only = $(unit_tests) $(fuzz_targets) tests/unit/reports/html_without
plain_only = tests/system/loads tests/system/other/stintd
system-programs: $(filter-out $(unit_only), $(check_PROGRAMS)) $(check_LTLIBRARIES) $(check_DATA)
.PHONY: print-tests
print-tests:
	@printf '%s\n' $(TESTS)
unit-programs: $(filter-out $(plain_only), $(check_PROGRAMS)) $(check_LTLIBRARIES) $(check_DATA)

# With --enable-sanitizers; contrib/check runs them.
if SANITIZERS
check_PROGRAMS += tests/sanitized/leak
endif
tests_sanitized_leak_SOURCES = tests/sanitized/leak.c
tests_sanitized_leak_LDADD =
EXTRA_DIST += tests/sanitized/leaks.bats
