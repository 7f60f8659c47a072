# SPDX-License-Identifier: GPL-2.0-or-later
# What stint costs: as root, five minutes, best on a machine that does nothing else. docs/performance.md
bench_programs = \
	tests/bench/job \
	tests/bench/links \
	tests/bench/model \
	tests/bench/workloads \
	#
check_PROGRAMS += $(bench_programs)
tests_bench_job_SOURCES = tests/bench/job.c
tests_bench_job_LDADD = spank/libspank.la
tests_bench_links_SOURCES = tests/bench/links.c
tests_bench_links_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
tests_bench_links_LDADD = $(LIBBPF_LIBS)
tests_bench_model_SOURCES = tests/bench/model.c
tests_bench_model_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_bench_model_LDADD = reports/libreports.la
tests_bench_workloads_SOURCES = tests/bench/workloads.c
tests_bench_workloads_CFLAGS = $(PLAIN_CFLAGS)
tests_bench_workloads_LDFLAGS =
tests_bench_workloads_LDADD = -lpthread

# Without a loader's work a process is as short as can be; not every system has a static libc.
tests/bench/nothing: tests/bench/nothing.c
	$(AM_V_CCLD)$(MKDIR_P) tests/bench && { $(CC) $(CFLAGS) -static -o $@ $(srcdir)/tests/bench/nothing.c 2>/dev/null || \
		$(CC) $(CFLAGS) -o $@ $(srcdir)/tests/bench/nothing.c; }
check_DATA = tests/bench/nothing
CLEANFILES += tests/bench/nothing bench.json

bench: all $(bench_programs) $(site_bench_programs) tests/bench/nothing
	$(builddir)/tests/bench/model $(srcdir)/tests/data/pictures/failure.json
	$(srcdir)/tests/bench/reading --build $(abs_builddir)
	$(srcdir)/tests/bench/store --build $(abs_builddir)
	$(srcdir)/tests/bench/run --build $(abs_builddir) --json bench.json $(BENCHFLAGS)
.PHONY: bench

TESTS += tests/tree/bench_figures
EXTRA_DIST += \
	tests/bench/collector.py \
	tests/bench/compare.py \
	tests/bench/cost.py \
	tests/bench/equivalent.bt \
	tests/bench/jitter.py \
	tests/bench/jobs.py \
	tests/bench/load.py \
	tests/bench/node.py \
	tests/bench/nothing.c \
	tests/bench/reading \
	tests/bench/report.py \
	tests/bench/rivals.py \
	tests/bench/run \
	tests/bench/spread.py \
	tests/bench/store \
	tests/bench/store_duckdb.mjs \
	tests/bench/store_lines.py \
	tests/bench/store_scale.py \
	tests/bench/store_site.py \
	tests/bench/tables.py \
	tests/bench/wide.py \
	tests/bench/workload.py \
	tests/system/bench.bats \
	tests/tree/bench_figures \
	tests/tree/bench_figures.py \
	#
