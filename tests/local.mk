# SPDX-License-Identifier: GPL-2.0-or-later
# The system tests run on contrib/testbed: contrib/check runs them, "make check" builds what they need.
check_PROGRAMS += \
	tests/system/crowd \
	tests/system/worker \
	#
tests_system_crowd_SOURCES = tests/system/crowd.c
tests_system_worker_SOURCES = tests/system/worker.c
tests_system_worker_LDADD = -lpthread
EXTRA_DIST += \
	tests/system/accounting.bats \
	tests/system/batch.bats \
	tests/system/collector.bats \
	tests/system/commands.bats \
	tests/system/counting.bats \
	tests/system/doctor.bats \
	tests/system/helper.bash \
	tests/system/layouts.bats \
	tests/system/membership.bats \
	tests/system/nodes.bats \
	tests/system/pipeline.bats \
	tests/system/poll-cpu \
	tests/system/scripts.bats \
	tests/system/steps.bats \
	tests/system/testbed.bats \
	tests/system/timelimit.bats \
	tests/vm/cgroup2.bats \
	tests/vm/guest \
	tests/vm/init \
	tests/vm/run \
	#

include tests/bench/local.mk
