# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests, in folders as what they test. A test is one file, and a name in the list: it is linked with all libraries, of which it takes what it needs.
if HAVE_CMOCKA
unit_tests = \
	tests/unit/collector/budget \
	tests/unit/collector/cgroup \
	tests/unit/collector/deliver \
	tests/unit/collector/gpu_devices \
	tests/unit/collector/gpu_helper \
	tests/unit/collector/handover \
	tests/unit/collector/image_name \
	tests/unit/collector/job \
	tests/unit/collector/job_gpus \
	tests/unit/collector/journal \
	tests/unit/collector/journal_closed \
	tests/unit/collector/journal_notes \
	tests/unit/collector/journal_tasks \
	tests/unit/collector/log \
	tests/unit/collector/loop \
	tests/unit/collector/metric_text \
	tests/unit/collector/node_sums \
	tests/unit/collector/oom \
	tests/unit/collector/keeper \
	tests/unit/collector/own_entries \
	tests/unit/collector/progress \
	tests/unit/collector/query_turns \
	tests/unit/collector/resume \
	tests/unit/collector/rests \
	tests/unit/collector/ring \
	tests/unit/collector/sample \
	tests/unit/collector/scan_cgroup \
	tests/unit/collector/scans \
	tests/unit/collector/series \
	tests/unit/collector/spool \
	tests/unit/collector/standby \
	tests/unit/collector/status \
	tests/unit/collector/staying \
	tests/unit/collector/systemd \
	tests/unit/collector/tables \
	tests/unit/collector/timeline \
	tests/unit/collector/wait_rate \
	tests/unit/common/arena \
	tests/unit/common/array \
	tests/unit/common/child \
	tests/unit/common/conf \
	tests/unit/common/escape \
	tests/unit/common/file \
	tests/unit/common/frame \
	tests/unit/common/js1_form \
	tests/unit/common/json_writer \
	tests/unit/common/log_line \
	tests/unit/common/map \
	tests/unit/common/memory_quick \
	tests/unit/common/subprocess \
	tests/unit/common/time_text \
	tests/unit/common/waiting \
	tests/unit/reports/accounting \
	tests/unit/reports/advice \
	tests/unit/reports/advice_memory \
	tests/unit/reports/at_limit \
	tests/unit/reports/attempts \
	tests/unit/reports/attempts_memory \
	tests/unit/reports/bins \
	tests/unit/reports/bounds \
	tests/unit/reports/build \
	tests/unit/reports/build_chosen \
	tests/unit/reports/build_ends \
	tests/unit/reports/epilog_serve \
	tests/unit/reports/findings \
	tests/unit/reports/findings_cpu \
	tests/unit/reports/findings_gpu \
	tests/unit/reports/findings_memory \
	tests/unit/reports/fuse_owner \
	tests/unit/reports/gpus \
	tests/unit/reports/job_group \
	tests/unit/reports/job_row \
	tests/unit/reports/kept \
	tests/unit/reports/known_groups \
	tests/unit/reports/left_behind \
	tests/unit/reports/left_out \
	tests/unit/reports/lists \
	tests/unit/reports/launchers \
	tests/unit/reports/looks \
	tests/unit/reports/model \
	tests/unit/reports/model_damaged \
	tests/unit/reports/model_make \
	tests/unit/reports/model_memory \
	tests/unit/reports/model_schema \
	tests/unit/reports/new_field \
	tests/unit/reports/outcome \
	tests/unit/reports/outcome_failure \
	tests/unit/reports/outcome_memory \
	tests/unit/reports/parents \
	tests/unit/reports/peak_memory \
	tests/unit/reports/plugin_file \
	tests/unit/reports/progress_line \
	tests/unit/reports/record \
	tests/unit/reports/record_join \
	tests/unit/reports/record_memory \
	tests/unit/reports/rules \
	tests/unit/reports/sentences \
	tests/unit/reports/settled \
	tests/unit/reports/slurm_conf \
	tests/unit/reports/stats \
	tests/unit/reports/store_age \
	tests/unit/reports/store_agrees \
	tests/unit/reports/store_backlog \
	tests/unit/reports/store_command \
	tests/unit/reports/store_line \
	tests/unit/reports/store_place \
	tests/unit/reports/untold \
	tests/unit/reports/summary \
	tests/unit/reports/task_list \
	tests/unit/reports/tool_fields \
	tests/unit/reports/units \
	tests/unit/reports/verdict \
	tests/unit/reports/verdict_cpu \
	tests/unit/reports/verdict_waits \
	tests/unit/reports/view \
	tests/unit/reports/when \
	tests/unit/reports/wide \
	tests/unit/reports/work_failed \
	tests/unit/reports/workflow \
	tests/unit/reports/writer \
	tests/unit/spank/job_json \
	tests/unit/spank/jobs \
	tests/unit/spank/gpus \
	tests/unit/spank/job_text \
	tests/unit/spank/message \
	tests/unit/spank/note \
	tests/unit/spank/options \
	tests/unit/spank/root \
	#
if HAVE_SITE
unit_tests += \
	tests/unit/reports/fact_rows \
	tests/unit/reports/job_lines \
	tests/unit/reports/line_pack \
	tests/unit/reports/number_lists \
	tests/unit/reports/site_store \
	#
tests_unit_reports_fact_rows_LDADD = reports/libsite.la $(LDADD)
tests_unit_reports_job_lines_LDADD = reports/libsite.la $(LDADD)
tests_unit_reports_line_pack_LDADD = reports/libsite.la $(LDADD)
tests_unit_reports_number_lists_LDADD = reports/libsite.la $(LDADD)
tests_unit_reports_site_store_LDADD = reports/libsite.la $(LDADD)
endif
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
# The tests replace the walk over all tasks, the status file, the spool, and who forks writers.
tests_unit_collector_deliver_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_collector_resume_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_collector_sample_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_collector_scan_cgroup_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_collector_scans_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_collector_status_LDFLAGS = $(AM_LDFLAGS) -Wl,--allow-multiple-definition
tests_unit_reports_attempts_memory_SOURCES = tests/unit/reports/failing_memory.c tests/unit/reports/attempts_memory.c
tests_unit_reports_model_memory_SOURCES = tests/unit/reports/failing_memory.c tests/unit/reports/model_memory.c
tests_unit_reports_record_LDADD = $(LDADD) -lpthread
tests_unit_reports_record_memory_SOURCES = tests/unit/reports/failing_memory.c tests/unit/reports/record_memory.c
# With one field more, and one sum more: a line in each of the two lists. All that is built from the lists is built again.
tests_unit_reports_new_field_SOURCES = tests/unit/reports/new_field.c $(report_model_sources) \
	reports/records/record.c reports/records/record_tables.c reports/records/sums.c reports/files/part_form.c
tests_unit_reports_new_field_CPPFLAGS = -I$(builddir)/tests/unit/new_field $(AM_CPPFLAGS)
NEW_FIELD_LISTS = tests/unit/new_field/common/sum_list.h tests/unit/new_field/reports/model/report_fields.h
tests/unit/new_field/common/sum_list.h: common/sum_list.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) 's/^\tX(SYSCALL_READS, /\tX(TEST, test_ns, IN_USED, SECONDS, test_s, "A sum of the tests.") \\\n&/' $(srcdir)/common/sum_list.h >$@
tests/unit/new_field/reports/model/report_fields.h: reports/model/report_fields.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) 's/^\tFIELD(TEXT, account, /\tFIELD(COUNT, test_count, "A field of the tests.", .most = 9) \\\n&/' $(srcdir)/reports/model/report_fields.h >$@
$(tests_unit_reports_new_field_OBJECTS): $(NEW_FIELD_LISTS)
CLEANFILES += $(NEW_FIELD_LISTS)
tests_unit_reports_when_SOURCES = tests/unit/reports/when.c reports/cmd/when.c
tests_unit_spank_gpus_SOURCES = spank/slurm_job/gpus.c tests/unit/spank/gpus.c
tests_unit_spank_job_json_SOURCES = spank/slurm_job/array_tasks.c spank/slurm_job/gpus.c spank/slurm_job/job_json.c spank/slurm_job/tres.c tests/unit/spank/job_json.c
tests_unit_spank_job_json_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_spank_job_json_LDFLAGS = $(AM_LDFLAGS) $(SLURM_LDFLAGS)
tests_unit_spank_job_json_LDADD = -lslurm $(LDADD)
tests_unit_spank_jobs_SOURCES = spank/slurm_job/array_tasks.c spank/slurm_job/gpus.c spank/slurm_job/job_json.c spank/slurm_job/jobs.c spank/slurm_job/tres.c tests/unit/spank/jobs.c
tests_unit_spank_jobs_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_spank_jobs_LDFLAGS = $(AM_LDFLAGS) $(SLURM_LDFLAGS)
tests_unit_spank_jobs_LDADD = -lslurm $(LDADD)
tests_unit_spank_job_text_SOURCES = spank/slurm_job/tres.c tests/unit/spank/job_text.c
tests_unit_spank_message_LDADD = $(LDADD) -lpthread
tests_unit_spank_root_LDADD = $(LDADD) -lpthread
endif
EXTRA_DIST += \
	tests/unit/set_clock.h \
	tests/unit/within.h \
	tests/unit/collector/journal_fixture.h \
	tests/unit/reports/advice_case.h \
	tests/unit/reports/agrees.h \
	tests/unit/reports/asserts.h \
	tests/unit/reports/case.h \
	tests/unit/reports/findings_case.h \
	tests/unit/reports/attempt_node.h \
	tests/unit/reports/failing_memory.h \
	tests/unit/reports/fixture.h \
	tests/unit/reports/killed.h \
	tests/unit/reports/model_agree.h \
	tests/unit/reports/model_case.h \
	tests/unit/reports/node.h \
	tests/unit/reports/outcome_case.h \
	tests/unit/reports/record_case.h \
	tests/unit/reports/record_like.h \
	tests/unit/reports/report_case.h \
	tests/unit/reports/verdict_case.h \
	#

# The plugin is loaded into every slurmstepd and srun: a further library, or a symbol left open, would be theirs too.
TESTS += tests/unit/spank/plugin_links
EXTRA_DIST += tests/unit/spank/plugin_links

# The page as a build without the charting library makes it: its own files come before those of the library.
check_PROGRAMS += tests/unit/reports/html_without
tests_unit_reports_html_without_SOURCES = tests/unit/reports/html_without.c
nodist_tests_unit_reports_html_without_SOURCES = tests/unit/reports/embedded_without.c
tests_unit_reports_html_without_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
tests_unit_reports_html_without_LDADD = reports/libreports.la
tests/unit/reports/embedded_without.c: $(html_files) Makefile
	$(AM_V_GEN)$(MKDIR_P) tests/unit/reports && $(html_embed) library= >$@.tmp && mv $@.tmp $@
CLEANFILES += tests/unit/reports/embedded_without.c tests/unit/reports/embedded_without.c.tmp

TESTS += \
	tests/cli/html_page \
	tests/cli/by_rule \
	tests/cli/cli \
	tests/cli/completion \
	tests/cli/find \
	tests/cli/golden \
	tests/cli/last_lines \
	tests/cli/list \
	tests/cli/matrix \
	tests/cli/mine \
	tests/cli/outputs \
	tests/cli/readers \
	tests/cli/reconcile \
	tests/cli/shards \
	tests/cli/store_sql \
	tests/cli/site \
	tests/cli/site_doctor \
	tests/cli/summary \
	tests/cli/views \
	tests/cli/warehouse \
	tests/cli/export \
	tests/cli/compare \
	tests/cli/schema \
	tests/cli/timeline \
	#
EXTRA_DIST += \
	tests/cli/site \
	tests/cli/postgres.bash \
	tests/cli/readers \
	tests/cli/readers.bats \
	tests/cli/reconcile \
	tests/cli/reconcile.bats \
	tests/cli/shards \
	tests/cli/shards.bats \
	tests/cli/store_sql \
	tests/cli/store_sql.bats \
	tests/cli/store_sql.py \
	tests/cli/warehouse \
	tests/cli/warehouse.bats \
	tests/cli/warehouse.mjs \
	tests/cli/site.bats \
	tests/cli/site_doctor \
	tests/cli/site_doctor.bats \
	tests/cli/compare_rules.py \
	tests/data/compare/a.json \
	tests/data/compare/all.txt \
	tests/data/compare/b.json \
	tests/data/compare/job-60-ascii.txt \
	tests/data/compare/job-60.txt \
	tests/data/compare/job-80-ascii.txt \
	tests/data/compare/job-80.txt \
	tests/data/compare/job-120-ascii.txt \
	tests/data/compare/job-120.txt \
	tests/cli/compare \
	tests/cli/compare.bats \
	tests/cli/browser.py \
	tests/cli/html_page \
	tests/cli/html_page.py \
	tests/cli/html_report.py \
	tests/data/record-old.json \
	tests/data/record-one.json \
	tests/data/record-poor.json \
	tests/data/record-two-n1.json \
	tests/data/record-two-n2.json \
	tests/data/golden \
	tests/data/report-incomplete.json \
	tests/data/report-many.json \
	tests/data/report-names.json \
	tests/data/report-nodes.json \
	tests/data/report-oom.json \
	tests/data/report-pipeline.json \
	tests/data/slurm-one.json \
	tests/data/slurm-two.json \
	tests/cli/by_rule \
	tests/cli/by_rule.bats \
	tests/cli/cli \
	tests/cli/cli.bats \
	tests/cli/completion \
	tests/cli/completion.bats \
	tests/cli/find \
	tests/cli/find.bats \
	tests/cli/golden \
	tests/cli/golden.py \
	tests/cli/last_lines \
	tests/cli/last_lines.bats \
	tests/cli/list \
	tests/cli/list.bats \
	tests/cli/matrix \
	tests/cli/mine \
	tests/cli/matrix.py \
	tests/cli/mine.bats \
	tests/data/summary \
	tests/cli/outputs \
	tests/cli/outputs.bats \
	tests/cli/summary \
	tests/cli/summary.py \
	tests/cli/views \
	tests/cli/views.py \
	tests/cli/zsh.py \
	tests/data/views/array.json \
	tests/data/views/ends.json \
	tests/data/views/forks.json \
	tests/data/views/gpus.json \
	tests/data/views/nodes.json \
	tests/data/views/one.json \
	tests/data/views/oom.json \
	tests/data/views/steps.json \
	tests/data/views/storage.json \
	tests/cli/js1.py \
	tests/cli/export \
	tests/cli/export.bats \
	tests/cli/schema \
	tests/cli/timeline \
	tests/cli/timeline.bats \
	tests/cli/trace_check \
	tests/data/timeline/part.txt \
	tests/data/timeline/process.txt \
	tests/data/timeline/report.json \
	tests/data/timeline/step.txt \
	tests/data/timeline/tool-60-ascii.txt \
	tests/data/timeline/tool-60.txt \
	tests/data/timeline/tool-80-ascii.txt \
	tests/data/timeline/tool-80.txt \
	tests/data/timeline/tool-130-ascii.txt \
	tests/data/timeline/tool-130.txt \
	#
