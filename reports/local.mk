# SPDX-License-Identifier: GPL-2.0-or-later
# From node records to the report, and from the report to people.
noinst_LTLIBRARIES += reports/libreports.la
reports_libreports_la_SOURCES = \
	reports/advice.c \
	reports/advice.h \
	reports/advice_cpu.c \
	reports/advice_part.h \
	reports/attempt.c \
	reports/attempt.h \
	reports/bound.c \
	reports/bound.h \
	reports/bound_text.c \
	reports/build.c \
	reports/build.h \
	reports/comment.c \
	reports/comment.h \
	reports/collect.c \
	reports/collect.h \
	collector/common/escape.h \
	reports/compare.c \
	reports/compare.h \
	reports/compare_json.c \
	reports/compare_part.h \
	reports/compare_print.c \
	reports/compare_rules.c \
	reports/compare_rules.h \
	reports/compare_sentence.c \
	reports/compare_side.c \
	reports/compare_stats.c \
	reports/compare_stats.h \
	reports/evidence.c \
	reports/evidence.h \
	reports/facts.c \
	reports/facts.h \
	reports/field.c \
	reports/field.h \
	reports/file_systems.c \
	reports/file_systems.h \
	reports/files.c \
	reports/files.h \
	reports/find.c \
	reports/find.h \
	reports/find_place.c \
	reports/findings.c \
	reports/findings.h \
	reports/findings_cpu.c \
	reports/findings_io.c \
	reports/findings_memory.c \
	reports/findings_part.h \
	reports/findings_progress.c \
	reports/gantt.c \
	reports/gantt.h \
	reports/gantt_axis.c \
	reports/gantt_cells.c \
	reports/gantt_part.h \
	reports/gantt_rows.c \
	reports/gantt_series.c \
	reports/gaps.c \
	reports/gaps.h \
	reports/group.c \
	reports/group.h \
	reports/group_advice.c \
	reports/gzip64.c \
	reports/gzip64.h \
	reports/html/html.c \
	reports/html/html.h \
	reports/html/html_data.c \
	reports/html/html_findings.c \
	reports/html/html_head.c \
	reports/html/html_part.h \
	reports/html/html_series.c \
	reports/html/html_states.c \
	reports/html/html_table.c \
	reports/html/html_tables.c \
	reports/html/html_text.c \
	reports/job.c \
	reports/job.h \
	reports/js1.c \
	reports/js1.h \
	reports/locate.c \
	reports/locate.h \
	reports/merge.c \
	reports/merge.h \
	reports/merge_steps.c \
	reports/merge_tools.c \
	reports/nodes.c \
	reports/nodes.h \
	reports/oom.c \
	reports/oom.h \
	reports/page.c \
	reports/page.h \
	reports/page_balance.c \
	reports/page_cells.c \
	reports/page_findings.c \
	reports/page_gaps.c \
	reports/page_more.c \
	reports/page_part.h \
	reports/page_seff.c \
	reports/page_states.c \
	reports/page_table.c \
	reports/page_tables.c \
	reports/parts.c \
	reports/parts.h \
	reports/process.c \
	reports/process.h \
	reports/progress.c \
	reports/progress.h \
	reports/record.c \
	reports/record.h \
	reports/report.c \
	reports/report.h \
	reports/seff.c \
	reports/seff.h \
	reports/series.c \
	reports/series.h \
	reports/rules.c \
	reports/rules.h \
	reports/row.c \
	reports/row.h \
	reports/shares.c \
	reports/sieve.c \
	reports/sieve.h \
	reports/show.c \
	reports/show.h \
	reports/slurm_job.c \
	reports/slurm_job.h \
	reports/spans.c \
	reports/spans.h \
	reports/states.c \
	reports/states.h \
	reports/sums.c \
	reports/sums.h \
	reports/terminal.c \
	reports/terminal.h \
	reports/table.c \
	reports/table.h \
	reports/table_data.c \
	reports/totals.c \
	reports/totals.h \
	reports/trace.c \
	reports/trace.h \
	reports/trace_lanes.c \
	reports/trace_lanes.h \
	reports/units.c \
	reports/units.h \
	collector/common/usage.h \
	reports/user.c \
	reports/user.h \
	reports/verdict.c \
	reports/verdict.h \
	reports/workflow.c \
	reports/workflow.h \
	reports/workflow_table.c \
	reports/workflow_table.h \
	reports/writer.c \
	reports/writer.h \
	#
nodist_reports_libreports_la_SOURCES = reports/html/embedded.c
reports_libreports_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(ZLIB_CFLAGS)
reports_libreports_la_LIBADD = collector/common/libcommon.la $(JSON_C_LIBS) $(ZLIB_LIBS) -lm

# The page for browsers: what it is put together from, and the charting library, where there is one, are in stint itself.
html_scripts = \
	$(srcdir)/reports/html/view.js \
	$(srcdir)/reports/html/lanes.js \
	$(srcdir)/reports/html/gantt.js \
	$(srcdir)/reports/html/series.js \
	$(srcdir)/reports/html/page.js \
	#
html_files = \
	$(html_scripts) \
	$(srcdir)/reports/html/dygraphs.licence \
	$(srcdir)/reports/html/embed.sh \
	$(srcdir)/reports/html/page.css \
	$(srcdir)/reports/html/page.html \
	#
html_embed = sh $(srcdir)/reports/html/embed.sh page=$(srcdir)/reports/html/page.html \
	style=$(srcdir)/reports/html/page.css script="`echo $(html_scripts) | tr ' ' ,`" \
	library_licence=$(srcdir)/reports/html/dygraphs.licence
reports/html/embedded.c: $(html_files) $(DYGRAPHS) Makefile
	$(AM_V_GEN)$(MKDIR_P) reports/html && $(html_embed) library=$(DYGRAPHS) >$@.tmp && mv $@.tmp $@
CLEANFILES += reports/html/embedded.c reports/html/embedded.c.tmp
EXTRA_DIST += \
	reports/html/dygraphs.licence \
	reports/html/embed.sh \
	reports/html/gantt.js \
	reports/html/lanes.js \
	reports/html/page.css \
	reports/html/page.html \
	reports/html/page.js \
	reports/html/series.js \
	reports/html/view.js \
	#

pkglibexec_PROGRAMS += reports/stint-epilog
reports_stint_epilog_SOURCES = reports/epilog.c
reports_stint_epilog_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
reports_stint_epilog_LDADD = reports/libreports.la

bin_PROGRAMS += reports/stint
reports_stint_SOURCES = \
	reports/cmd.h \
	reports/cmd_compare.c \
	reports/cmd_doctor.c \
	reports/cmd_export.c \
	reports/cmd_report.c \
	reports/cmd_timeline.c \
	reports/doctor.h \
	reports/doctor_daemon.c \
	reports/doctor_kernel.c \
	reports/doctor_slurm.c \
	reports/slurm_conf.c \
	reports/slurm_conf.h \
	reports/stint.c \
	#
reports_stint_CPPFLAGS = $(AM_CPPFLAGS) -DSLURM_VERSION='"$(slurm_version)"'
reports_stint_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
reports_stint_LDADD = reports/libreports.la spank/libspank.la

pkgdata_DATA = reports/report.schema.json
EXTRA_DIST += reports/report.schema.json

dist_man_MANS += \
	collector/stint.conf.5 \
	collector/stintd.8 \
	reports/stint.1 \
	#
bashcompletion_DATA = reports/completion/stint
EXTRA_DIST += reports/completion/stint

if HAVE_CMOCKA
reports_unit_tests = \
	tests/unit/reports_accounting \
	tests/unit/reports_advice \
	tests/unit/reports_build \
	tests/unit/reports_findings \
	tests/unit/reports_lists \
	tests/unit/reports_process \
	tests/unit/reports_rules \
	tests/unit/reports_stats \
	tests/unit/reports_units \
	tests/unit/reports_verdict \
	tests/unit/reports_workflow \
	tests/unit/reports_writer \
	#
check_PROGRAMS += $(reports_unit_tests)
TESTS += $(reports_unit_tests)

tests_unit_reports_accounting_SOURCES = \
	tests/unit/reports_accounting.c \
	tests/unit/reports_assert.h \
	tests/unit/reports_fixture.h \
	#
tests_unit_reports_accounting_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_accounting_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_advice_SOURCES = tests/unit/reports_case.h tests/unit/reports_advice.c
tests_unit_reports_advice_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_advice_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_build_SOURCES = \
	tests/unit/reports_assert.h \
	tests/unit/reports_build.c \
	tests/unit/reports_fixture.h \
	#
tests_unit_reports_build_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_build_LDADD = reports/libreports.la $(CMOCKA_LIBS)
tests_unit_reports_findings_SOURCES = tests/unit/reports_case.h tests/unit/reports_findings.c
tests_unit_reports_findings_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_findings_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_lists_SOURCES = \
	tests/unit/reports_assert.h \
	tests/unit/reports_fixture.h \
	tests/unit/reports_lists.c \
	#
tests_unit_reports_lists_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_lists_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_process_SOURCES = tests/unit/reports_process.c
tests_unit_reports_process_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_process_LDADD = reports/libreports.la $(CMOCKA_LIBS)
tests_unit_reports_rules_SOURCES = tests/unit/reports_case.h tests/unit/reports_rules.c
tests_unit_reports_rules_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_rules_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_stats_SOURCES = tests/unit/reports_stats.c
tests_unit_reports_stats_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_stats_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_units_SOURCES = tests/unit/reports_units.c
tests_unit_reports_units_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_units_LDADD = reports/libreports.la $(CMOCKA_LIBS)
tests_unit_reports_verdict_SOURCES = tests/unit/reports_case.h tests/unit/reports_verdict.c
tests_unit_reports_verdict_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_verdict_LDADD = reports/libreports.la $(CMOCKA_LIBS) -lm
tests_unit_reports_workflow_SOURCES = tests/unit/reports_workflow.c
tests_unit_reports_workflow_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_workflow_LDADD = reports/libreports.la $(CMOCKA_LIBS)
tests_unit_reports_writer_SOURCES = tests/unit/reports_writer.c tests/unit/reports_fixture.h
tests_unit_reports_writer_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_reports_writer_LDADD = reports/libreports.la $(CMOCKA_LIBS)
endif

# The page as a build without the charting library makes it: its own files come before those of the library.
check_PROGRAMS += tests/unit/html_without
tests_unit_html_without_SOURCES = tests/unit/html_without.c
nodist_tests_unit_html_without_SOURCES = tests/unit/embedded_without.c
tests_unit_html_without_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_unit_html_without_LDADD = reports/libreports.la
tests/unit/embedded_without.c: $(html_files) Makefile
	$(AM_V_GEN)$(MKDIR_P) tests/unit && $(html_embed) library= >$@.tmp && mv $@.tmp $@
CLEANFILES += tests/unit/embedded_without.c tests/unit/embedded_without.c.tmp

TESTS += \
	tests/unit/html_page \
	tests/unit/reports_by_rule \
	tests/unit/reports_cli \
	tests/unit/reports_find \
	tests/unit/reports_golden \
	tests/unit/reports_export \
	tests/unit/reports_compare \
	tests/unit/reports_schema \
	tests/unit/reports_timeline \
	#
EXTRA_DIST += \
	docs/html.md \
	docs/compare.md \
	docs/verdict.md \
	tests/unit/compare_rules.py \
	tests/unit/data/compare/a.json \
	tests/unit/data/compare/all.txt \
	tests/unit/data/compare/b.json \
	tests/unit/data/compare/job-60-ascii.txt \
	tests/unit/data/compare/job-60.txt \
	tests/unit/data/compare/job-80-ascii.txt \
	tests/unit/data/compare/job-80.txt \
	tests/unit/data/compare/job-120-ascii.txt \
	tests/unit/data/compare/job-120.txt \
	tests/unit/reports_compare \
	tests/unit/reports_compare.bats \
	tests/unit/browser.py \
	tests/unit/html_page \
	tests/unit/html_page.py \
	tests/unit/html_report.py \
	tests/unit/data/record-old.json \
	tests/unit/data/record-one.json \
	tests/unit/data/record-poor.json \
	tests/unit/data/record-two-n1.json \
	tests/unit/data/record-two-n2.json \
	tests/unit/data/golden \
	tests/unit/data/report-incomplete.json \
	tests/unit/data/report-many.json \
	tests/unit/data/report-names.json \
	tests/unit/data/report-nodes.json \
	tests/unit/data/report-oom.json \
	tests/unit/data/report-pipeline.json \
	tests/unit/data/slurm-one.json \
	tests/unit/data/slurm-two.json \
	tests/unit/reports_by_rule \
	tests/unit/reports_by_rule.bats \
	tests/unit/reports_cli \
	tests/unit/reports_cli.bats \
	tests/unit/reports_find \
	tests/unit/reports_find.bats \
	tests/unit/reports_golden \
	tests/unit/reports_golden.py \
	tests/unit/js1.py \
	tests/unit/reports_export \
	tests/unit/reports_export.bats \
	tests/unit/reports_schema \
	tests/unit/reports_timeline \
	tests/unit/reports_timeline.bats \
	tests/unit/trace_check \
	tests/unit/data/timeline/part.txt \
	tests/unit/data/timeline/process.txt \
	tests/unit/data/timeline/report.json \
	tests/unit/data/timeline/step.txt \
	tests/unit/data/timeline/tool-60-ascii.txt \
	tests/unit/data/timeline/tool-60.txt \
	tests/unit/data/timeline/tool-80-ascii.txt \
	tests/unit/data/timeline/tool-80.txt \
	tests/unit/data/timeline/tool-130-ascii.txt \
	tests/unit/data/timeline/tool-130.txt \
	#
