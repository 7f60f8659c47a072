# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzz targets. "make check" gives each its corpus; built with "configure --enable-fuzzers CC=clang",
# "make fuzz FUZZ_SECONDS=600" lets libFuzzer look for more.
fuzz_targets = \
	tests/fuzz/cgroup \
	tests/fuzz/collector \
	tests/fuzz/command \
	tests/fuzz/conf \
	tests/fuzz/frame \
	tests/fuzz/live \
	tests/fuzz/options \
	tests/fuzz/record \
	tests/fuzz/reply \
	tests/fuzz/report \
	tests/fuzz/report_model \
	tests/fuzz/slurm_conf \
	tests/fuzz/store_line \
	tests/fuzz/text \
	#
check_PROGRAMS += $(fuzz_targets)
TESTS += tests/fuzz/replay

if FUZZERS
fuzz_json_mutator = tests/fuzz/json_mutator.c
else
fuzz_main = tests/fuzz/fuzz_main.c
endif
fuzz_common = \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	$(fuzz_main) \
	#
fuzz_built = \
	tests/fuzz/built.c \
	tests/fuzz/built.h \
	#
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)

tests_fuzz_cgroup_SOURCES = tests/fuzz/cgroup.c $(fuzz_common)
tests_fuzz_cgroup_CFLAGS = $(AM_CFLAGS)
tests_fuzz_cgroup_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_cgroup_LDADD = collector/libcollector.la
# The target replaces the kernel's part, and the child that would write a report.
tests_fuzz_collector_SOURCES = \
	tests/fuzz/collector.c \
	tests/fuzz/fake_kernel.c \
	tests/fuzz/fake_kernel.h \
	$(fuzz_built) \
	$(fuzz_common) \
	#
tests_fuzz_collector_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_collector_LDFLAGS = $(fuzz_ldflags) -Wl,--allow-multiple-definition
tests_fuzz_collector_LDADD = collector/libcollector.la reports/libreports.la
# main() and the verbs, where exit() comes back and no other program is started.
tests_fuzz_command_SOURCES = \
	tests/fuzz/command.c \
	$(reports_verbs) \
	$(fuzz_json_mutator) \
	$(fuzz_common) \
	#
tests_fuzz_command_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_command_LDFLAGS = $(fuzz_ldflags) -Wl,--wrap=exit,--wrap=argp_parse,--wrap=subprocess_output
tests_fuzz_command_LDADD = reports/libreports.la spank/libspank.la
tests_fuzz_conf_SOURCES = tests/fuzz/conf.c $(fuzz_common)
tests_fuzz_conf_CFLAGS = $(AM_CFLAGS)
tests_fuzz_conf_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_conf_LDADD = reports/libreports.la
tests_fuzz_frame_SOURCES = tests/fuzz/frame.c $(fuzz_common)
tests_fuzz_frame_CFLAGS = $(AM_CFLAGS)
tests_fuzz_frame_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_frame_LDADD = common/libcommon.la
tests_fuzz_live_SOURCES = tests/fuzz/live.c $(fuzz_common)
tests_fuzz_live_CFLAGS = $(AM_CFLAGS)
tests_fuzz_live_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_live_LDADD = collector/libcollector.la
tests_fuzz_options_SOURCES = tests/fuzz/options.c spank/options.c spank/slurm_job/gpus.c spank/slurm_job/tres.c $(fuzz_common)
tests_fuzz_options_CFLAGS = $(AM_CFLAGS)
tests_fuzz_options_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_options_LDADD = reports/libreports.la
tests_fuzz_record_SOURCES = tests/fuzz/record.c $(fuzz_built) $(fuzz_json_mutator) $(fuzz_common)
tests_fuzz_record_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_record_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_record_LDADD = reports/libreports.la
tests_fuzz_reply_SOURCES = tests/fuzz/reply.c $(fuzz_common)
tests_fuzz_reply_CFLAGS = $(AM_CFLAGS)
tests_fuzz_reply_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_reply_LDADD = spank/libspank.la -lpthread
tests_fuzz_report_SOURCES = tests/fuzz/report.c $(fuzz_built) $(fuzz_json_mutator) $(fuzz_common)
tests_fuzz_report_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_report_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_report_LDADD = reports/libreports.la
tests_fuzz_report_model_SOURCES = tests/fuzz/report_model.c $(fuzz_json_mutator) $(fuzz_common)
tests_fuzz_report_model_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_report_model_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_report_model_LDADD = reports/libreports.la
tests_fuzz_slurm_conf_SOURCES = tests/fuzz/slurm_conf.c reports/slurm/plugstack.c reports/slurm/slurm_conf.c $(fuzz_common)
tests_fuzz_slurm_conf_CFLAGS = $(AM_CFLAGS)
tests_fuzz_slurm_conf_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_slurm_conf_LDADD = common/libcommon.la
tests_fuzz_store_line_SOURCES = tests/fuzz/store_line.c $(fuzz_built) $(fuzz_json_mutator) $(fuzz_common)
tests_fuzz_store_line_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_fuzz_store_line_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_store_line_LDADD = reports/libreports.la
tests_fuzz_text_SOURCES = tests/fuzz/text.c $(fuzz_common)
tests_fuzz_text_CFLAGS = $(AM_CFLAGS)
tests_fuzz_text_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_text_LDADD = common/libcommon.la

FUZZ_SECONDS = 60
fuzzers: $(BUILT_SOURCES)
	$(MAKE) $(AM_MAKEFLAGS) $(fuzz_targets)
fuzz: fuzzers
	$(srcdir)/tests/fuzz/run --seconds $(FUZZ_SECONDS) $(FUZZFLAGS) $(builddir)/tests/fuzz
.PHONY: fuzz fuzzers

EXTRA_DIST += \
	tests/fuzz/corpus \
	tests/fuzz/json.dict \
	tests/fuzz/replay \
	tests/fuzz/run \
	#
