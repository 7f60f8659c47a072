# SPDX-License-Identifier: GPL-2.0-or-later
# The system tests run on contrib/testbed: contrib/check runs them, "make check" builds what they need.
check_PROGRAMS += \
	tests/faults/ballast \
	tests/system/crowd \
	tests/system/peer \
	tests/system/racer \
	tests/system/reborn \
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
tests_system_crowd_SOURCES = tests/system/crowd.c
tests_system_peer_SOURCES = tests/system/peer.c
tests_system_racer_SOURCES = tests/system/racer.c
tests_system_reborn_SOURCES = tests/system/reborn.c
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
# The tests' network file system. Where it cannot be built, they say so and skip.
if HAVE_FUSE3
check_PROGRAMS += tests/system/slowfs
endif
tests_system_slowfs_SOURCES = tests/system/slowfs.c
tests_system_slowfs_CFLAGS = $(PLAIN_CFLAGS) $(FUSE3_CFLAGS)
tests_system_slowfs_LDFLAGS =
tests_system_slowfs_LDADD = $(FUSE3_LIBS)
EXTRA_DIST += \
	tests/faults/check-report \
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
	tests/system/layouts.bats \
	tests/system/membership.bats \
	tests/system/nodes.bats \
	tests/system/pipeline.bats \
	tests/system/programs.bats \
	tests/system/poll-cpu \
	tests/system/scripts.bats \
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
