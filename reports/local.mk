# SPDX-License-Identifier: GPL-2.0-or-later
# From node records to the report, and from the report to people.
noinst_LTLIBRARIES += reports/libreports.la
# The report as a type; tests/unit/reports/new_field has it once more.
report_model_sources = \
	reports/model/make_tables.h \
	reports/model/report.c \
	reports/model/report_clone.c \
	reports/model/report_clone.h \
	reports/model/report.h \
	reports/model/report_fields.h \
	reports/model/report_gaps.c \
	reports/model/report_gaps.h \
	reports/model/report_make.c \
	reports/model/report_make.h \
	reports/model/report_owned.h \
	reports/model/report_read.c \
	reports/model/report_read.h \
	reports/model/report_schema.c \
	reports/model/report_schema.h \
	reports/model/report_tables.c \
	reports/model/report_tables.h \
	reports/model/report_values.c \
	reports/model/report_values.h \
	reports/model/report_write.c \
	reports/model/report_write.h \
	#
reports_libreports_la_SOURCES = \
	reports/builder/build_report.c \
	reports/builder/build_report.h \
	reports/builder/record_join.c \
	reports/builder/record_join.h \
	reports/builder/report_cores.c \
	reports/builder/report_cores.h \
	reports/builder/report_file_systems.c \
	reports/builder/report_file_systems.h \
	reports/builder/report_files.c \
	reports/builder/report_files.h \
	reports/builder/report_job.c \
	reports/builder/report_job.h \
	reports/builder/report_nodes.c \
	reports/builder/report_nodes.h \
	reports/builder/report_oom.c \
	reports/builder/report_oom.h \
	reports/builder/report_progress.c \
	reports/builder/report_progress.h \
	reports/builder/report_series.c \
	reports/builder/report_series.h \
	reports/builder/report_states.c \
	reports/builder/report_states.h \
	reports/builder/workflow.c \
	reports/builder/workflow.h \
	reports/compare/compare.c \
	reports/compare/compare.h \
	reports/compare/compare_internal.h \
	reports/compare/compare_json.c \
	reports/compare/compare_print.c \
	reports/compare/compare_rules.c \
	reports/compare/compare_rules.h \
	reports/compare/compare_sentence.c \
	reports/compare/compare_side.c \
	reports/compare/compare_stats.c \
	reports/compare/compare_stats.h \
	reports/compare/compare_text.c \
	reports/deliver/admin_comment.c \
	reports/deliver/admin_comment.h \
	reports/deliver/epilog_serve.c \
	reports/deliver/epilog_serve.h \
	reports/deliver/js1.c \
	reports/deliver/js1.h \
	reports/deliver/learn.c \
	reports/deliver/learn.h \
	reports/deliver/learn_steps.c \
	reports/deliver/learn_steps.h \
	reports/deliver/link.c \
	reports/deliver/link.h \
	reports/deliver/node_records.c \
	reports/deliver/node_records.h \
	reports/deliver/own_cgroup.c \
	reports/deliver/own_cgroup.h \
	reports/deliver/spooled_record.c \
	reports/deliver/spooled_record.h \
	reports/deliver/store_keep.c \
	reports/deliver/store_keep.h \
	reports/deliver/writer.c \
	reports/deliver/writer.h \
	reports/ending/at_limit.c \
	reports/ending/at_limit.h \
	reports/ending/culprit.c \
	reports/ending/culprit.h \
	reports/ending/ended_with_step.c \
	reports/ending/ended_with_step.h \
	reports/ending/ends.c \
	reports/ending/ends.h \
	reports/ending/known_programs.c \
	reports/ending/known_programs.h \
	reports/ending/launch.c \
	reports/ending/launch.h \
	reports/ending/left_behind.c \
	reports/ending/left_behind.h \
	reports/ending/not_found.c \
	reports/ending/not_found.h \
	reports/ending/oom_kills.c \
	reports/ending/oom_kills.h \
	reports/ending/parts.c \
	reports/ending/parts.h \
	reports/ending/ranks.c \
	reports/ending/ranks.h \
	reports/ending/time_up.c \
	reports/ending/time_up.h \
	reports/ending/work_failed.c \
	reports/ending/work_failed.h \
	reports/ending/work_states.h \
	reports/ending/workers.c \
	reports/ending/workers.h \
	reports/files/attempt.c \
	reports/files/attempt.h \
	reports/files/fuse_owner.c \
	reports/files/fuse_owner.h \
	reports/files/known_groups.c \
	reports/files/known_groups.h \
	reports/files/munge.c \
	reports/files/munge.h \
	reports/files/part_form.c \
	reports/files/part_form.h \
	reports/files/part_set.c \
	reports/files/part_set.h \
	reports/files/proof.c \
	reports/files/proof.h \
	reports/files/reach.c \
	reports/files/reach.h \
	reports/files/report_bounds.c \
	reports/files/report_bounds.h \
	reports/files/report_file.c \
	reports/files/report_file.h \
	reports/files/report_here.c \
	reports/files/report_here.h \
	reports/files/report_owner.c \
	reports/files/report_owner.h \
	reports/files/user.c \
	reports/files/user.h \
	reports/files/user_namespace.c \
	reports/files/user_namespace.h \
	reports/html/boxes.c \
	reports/html/boxes.h \
	reports/html/html.c \
	reports/html/html.h \
	reports/html/html_bars.c \
	reports/html/html_data.c \
	reports/html/html_findings.c \
	reports/html/html_head.c \
	reports/html/html_internal.h \
	reports/html/html_seff.c \
	reports/html/html_series.c \
	reports/html/html_states.c \
	reports/html/html_table.c \
	reports/html/html_tables.c \
	reports/html/html_text.c \
	reports/html/jobs_page.c \
	reports/html/jobs_page.h \
	reports/html/jobs_page_groups.c \
	reports/html/jobs_page_internal.h \
	reports/html/jobs_page_lists.c \
	reports/html/list.c \
	reports/html/list.h \
	reports/html/markup.h \
	reports/html/page_frame.c \
	reports/html/page_frame.h \
	reports/json/fact_number.c \
	reports/json/fact_number.h \
	reports/json/field.c \
	reports/json/field.h \
	reports/json/gaps.c \
	reports/json/gaps.h \
	reports/json/gzip64.c \
	reports/json/gzip64.h \
	reports/json/job_state.c \
	reports/json/job_state.h \
	reports/json/plural.h \
	reports/json/scan.c \
	reports/json/scan.h \
	reports/json/shells.c \
	reports/json/shells.h \
	reports/json/smaller.h \
	reports/json/task_list.c \
	reports/json/task_list.h \
	reports/json/units.c \
	reports/json/units.h \
	reports/json/view.c \
	reports/json/view.h \
	$(report_model_sources) \
	reports/read/collect.c \
	reports/read/collect.h \
	reports/read/find.c \
	reports/read/find.h \
	reports/read/find_messages.c \
	reports/read/find_messages.h \
	reports/read/find_place.c \
	reports/read/find_place.h \
	reports/read/last_lines.c \
	reports/read/last_lines.h \
	reports/read/locate.c \
	reports/read/locate.h \
	reports/read/moved.c \
	reports/read/moved.h \
	reports/read/query_job.c \
	reports/read/query_job.h \
	reports/read/rows.c \
	reports/read/rows.h \
	reports/read/slurm_reports.c \
	reports/read/slurm_reports.h \
	reports/read/slurm_rows.c \
	reports/read/slurm_rows.h \
	reports/read/summary.c \
	reports/read/summary.h \
	reports/records/making.c \
	reports/records/making.h \
	reports/records/kept.c \
	reports/records/kept.h \
	reports/records/merge.c \
	reports/records/merge.h \
	reports/records/merge_steps.c \
	reports/records/merge_tools.c \
	reports/records/parents.c \
	reports/records/parents.h \
	reports/records/record.c \
	reports/records/record.h \
	reports/records/record_fields.h \
	reports/records/record_tables.c \
	reports/records/record_parts.c \
	reports/records/record_parts.h \
	reports/records/report_totals.c \
	reports/records/report_totals.h \
	reports/records/sums.c \
	reports/records/sums.h \
	reports/rows/array_rows.c \
	reports/rows/array_rows.h \
	reports/rows/jobs_sentence.c \
	reports/rows/jobs_sentence.h \
	reports/rows/row_ending.c \
	reports/rows/row_ending.h \
	reports/rows/word_counts.c \
	reports/rows/word_counts.h \
	reports/rules/crowding.c \
	reports/rules/crowding.h \
	reports/rules/evidence.c \
	reports/rules/evidence.h \
	reports/rules/failing_tools.c \
	reports/rules/failing_tools.h \
	reports/rules/facts.c \
	reports/rules/facts.h \
	reports/rules/launchers.c \
	reports/rules/launchers.h \
	reports/rules/looks.c \
	reports/rules/looks.h \
	reports/rules/node_memory.c \
	reports/rules/node_memory.h \
	reports/rules/peak_memory.c \
	reports/rules/peak_memory.h \
	reports/rules/rules.c \
	reports/rules/rules.h \
	reports/rules/sentence.c \
	reports/rules/sentence.h \
	reports/rules/srun_steps.c \
	reports/rules/srun_steps.h \
	reports/rules/time_shares.c \
	reports/rules/time_shares_cpu.c \
	reports/rules/tool_threads.c \
	reports/rules/tool_threads.h \
	reports/rules/unheld_memory.c \
	reports/rules/unheld_memory.h \
	reports/send/store_child.c \
	reports/send/store_child.h \
	reports/send/store_command.c \
	reports/send/store_command.h \
	reports/send/store_place.c \
	reports/send/store_place.h \
	reports/send/store_trim.c \
	reports/send/store_trim.h \
	reports/send/store_user.c \
	reports/send/store_user.h \
	reports/site/bins.c \
	reports/site/bins.h \
	reports/site/coverage.c \
	reports/site/coverage.h \
	reports/site/job_charts.c \
	reports/site/job_charts.h \
	reports/site/job_figures.c \
	reports/site/job_figures.h \
	reports/site/job_group.c \
	reports/site/job_group.h \
	reports/site/job_groups.c \
	reports/site/job_groups.h \
	reports/site/job_row.c \
	reports/site/job_row.h \
	reports/site/job_row_read.c \
	reports/site/job_waste.c \
	reports/site/job_waste.h \
	reports/site/jobs_summary.c \
	reports/site/jobs_summary.h \
	reports/site/jobs_summary_data.c \
	reports/site/jobs_summary_html.c \
	reports/site/jobs_summary_text.c \
	reports/site/slurm_summary.c \
	reports/site/slurm_summary.h \
	reports/site/store_age.c \
	reports/site/store_age.h \
	reports/site/untold.c \
	reports/site/untold.h \
	reports/slurm/plugin_file.c \
	reports/slurm/plugin_file.h \
	reports/slurm/plugstack.c \
	reports/slurm/plugstack.h \
	reports/slurm/slurm_conf.c \
	reports/slurm/slurm_conf.h \
	reports/slurm/slurm_ended.c \
	reports/slurm/slurm_ended.h \
	reports/slurm/slurm_job.c \
	reports/slurm/slurm_job.h \
	reports/slurm/slurm_jobs.c \
	reports/slurm/slurm_jobs.h \
	reports/store/store_backlog.c \
	reports/store/store_backlog.h \
	reports/store/store_backlog_internal.h \
	reports/store/store_backlog_state.c \
	reports/store/store_batch.c \
	reports/store/store_batch.h \
	reports/store/store_bound.c \
	reports/store/store_columns.c \
	reports/store/store_failed.c \
	reports/store/store_line.c \
	reports/store/store_line.h \
	reports/store/store_line_internal.h \
	reports/store/store_line_read.c \
	reports/store/store_points.c \
	reports/store/store_seal.c \
	reports/store/store_tools.c \
	reports/terminal/output.c \
	reports/terminal/output.h \
	reports/terminal/page_cells.c \
	reports/terminal/page_lines.c \
	reports/terminal/page_lines.h \
	reports/terminal/page_table.c \
	reports/terminal/page_table.h \
	reports/terminal/progress_line.c \
	reports/terminal/progress_line.h \
	reports/terminal/terminal.c \
	reports/terminal/terminal.h \
	reports/text/group_page.c \
	reports/text/group_page.h \
	reports/text/page.c \
	reports/text/page.h \
	reports/text/page_balance.c \
	reports/text/page_bars.c \
	reports/text/page_findings.c \
	reports/text/page_gaps.c \
	reports/text/page_internal.h \
	reports/text/page_outcome.c \
	reports/text/page_seff.c \
	reports/text/page_states.c \
	reports/text/page_summary.c \
	reports/text/page_tables.c \
	reports/text/summary_table.c \
	reports/text/summary_table.h \
	reports/text/summary_table_data.c \
	reports/text/workflow_table.c \
	reports/text/workflow_table.h \
	reports/timeline/column.h \
	reports/timeline/gantt.c \
	reports/timeline/gantt.h \
	reports/timeline/gantt_axis.c \
	reports/timeline/gantt_cells.c \
	reports/timeline/gantt_internal.h \
	reports/timeline/gantt_rows.c \
	reports/timeline/gantt_series.c \
	reports/timeline/spans.c \
	reports/timeline/spans.h \
	reports/timeline/trace.c \
	reports/timeline/trace.h \
	reports/timeline/trace_lanes.c \
	reports/timeline/trace_lanes.h \
	reports/verdict/advice.c \
	reports/verdict/advice.h \
	reports/verdict/advice_amount.c \
	reports/verdict/advice_cpu.c \
	reports/verdict/advice_internal.h \
	reports/verdict/advice_lines.c \
	reports/verdict/advice_lines.h \
	reports/verdict/bound.c \
	reports/verdict/bound.h \
	reports/verdict/bound_text.c \
	reports/verdict/findings.c \
	reports/verdict/findings.h \
	reports/verdict/findings_cpu.c \
	reports/verdict/findings_internal.h \
	reports/verdict/findings_io.c \
	reports/verdict/findings_limit.c \
	reports/verdict/findings_memory.c \
	reports/verdict/findings_progress.c \
	reports/verdict/outcome.c \
	reports/verdict/outcome.h \
	reports/verdict/outcome_internal.h \
	reports/verdict/outcome_processes.c \
	reports/verdict/silence.c \
	reports/verdict/silence.h \
	reports/verdict/step_limit.c \
	reports/verdict/step_limit.h \
	reports/verdict/verdict.c \
	reports/verdict/verdict.h \
	reports/wording/group_advice.c \
	reports/wording/group_advice.h \
	reports/wording/group_again.c \
	reports/wording/group_again.h \
	reports/wording/job_bars.c \
	reports/wording/job_bars.h \
	reports/wording/job_fields.c \
	reports/wording/job_fields.h \
	reports/wording/spread.c \
	reports/wording/spread.h \
	reports/wording/tool_fields.c \
	reports/wording/tool_fields.h \
	#
nodist_reports_libreports_la_SOURCES = reports/html/embedded.c
reports_libreports_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(ZLIB_CFLAGS)
reports_libreports_la_LIBADD = common/libcommon.la $(JSON_C_LIBS) $(ZLIB_LIBS) $(NETTLE_LIBS) -lm

# The page for browsers: what it is put together from, and the charting library, where there is one, are in stint itself.
html_scripts = \
	$(srcdir)/reports/html/view.js \
	$(srcdir)/reports/html/lanes.js \
	$(srcdir)/reports/html/gantt.js \
	$(srcdir)/reports/html/series.js \
	$(srcdir)/reports/html/picture.js \
	$(srcdir)/reports/html/list.js \
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
	reports/html/list.js \
	reports/html/page.css \
	reports/html/page.html \
	reports/html/page.js \
	reports/html/picture.js \
	reports/html/series.js \
	reports/html/view.js \
	#

pkglibexec_PROGRAMS += reports/stint-epilog
reports_stint_epilog_SOURCES = reports/deliver/stint_epilog.c
reports_stint_epilog_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
reports_stint_epilog_LDADD = reports/libreports.la

bin_PROGRAMS += reports/stint
# tests/fuzz has them, too
reports_verbs = \
	reports/cmd/cmd.h \
	reports/cmd/cmd_compare.c \
	reports/cmd/cmd_doctor.c \
	reports/cmd/cmd_export.c \
	reports/cmd/cmd_list.c \
	reports/cmd/cmd_report.c \
	reports/cmd/cmd_site.c \
	reports/cmd/cmd_summary.c \
	reports/cmd/cmd_summary_mine.c \
	reports/cmd/cmd_summary_mine.h \
	reports/cmd/cmd_timeline.c \
	reports/cmd/cmd_watch.c \
	reports/cmd/ingest_options.c \
	reports/cmd/ingest_options.h \
	reports/doctor/doctor.h \
	reports/doctor/doctor_daemon.c \
	reports/doctor/doctor_kernel.c \
	reports/doctor/doctor_plugin.c \
	reports/doctor/doctor_programs.c \
	reports/doctor/doctor_role.c \
	reports/doctor/doctor_say.c \
	reports/doctor/doctor_shared.c \
	reports/doctor/doctor_slurm.c \
	reports/doctor/doctor_store.c \
	reports/doctor/doctor_store_dir.c \
	reports/doctor/doctor_waiting.c \
	reports/cmd/report_options.c \
	reports/cmd/report_options.h \
	reports/cmd/report_pages.c \
	reports/cmd/report_pages.h \
	reports/cmd/screen.c \
	reports/cmd/screen.h \
	reports/cmd/seff.c \
	reports/cmd/seff.h \
	reports/cmd/shared_options.c \
	reports/cmd/shared_options.h \
	reports/cmd/stored.c \
	reports/cmd/stored.h \
	reports/cmd/when.c \
	reports/cmd/when.h \
	#
reports_stint_SOURCES = \
	$(reports_verbs) \
	reports/cmd/stint.c \
	#
reports_stint_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
reports_stint_LDADD = reports/libreports.la spank/libspank.la

if HAVE_SITE
noinst_LTLIBRARIES += reports/libsite.la
reports_libsite_la_SOURCES = \
	reports/database/database.c \
	reports/database/database.h \
	reports/database/database_sql.c \
	reports/database/database_sql.h \
	reports/database/engine_internal.h \
	reports/database/sql_read.c \
	reports/database/sql_read.h \
	reports/database/sql_views.c \
	reports/database/sql_views.h \
	reports/database/engine_postgres.c \
	reports/database/engine_sqlite.c \
	reports/database/postgres_rights.c \
	reports/database/postgres_rights.h \
	reports/database/sqlite_file.c \
	reports/database/sqlite_file.h \
	reports/facts/checksum.c \
	reports/facts/checksum.h \
	reports/facts/fact.c \
	reports/facts/fact.h \
	reports/facts/job_lines.c \
	reports/facts/job_lines.h \
	reports/facts/job_parts.c \
	reports/facts/job_parts.h \
	reports/facts/job_places.c \
	reports/facts/job_places.h \
	reports/facts/names.c \
	reports/facts/names.h \
	reports/facts/node_list.c \
	reports/facts/node_list.h \
	reports/facts/number_lists.c \
	reports/facts/number_lists.h \
	reports/facts/site_days.c \
	reports/facts/site_days.h \
	reports/facts/site_numbers.c \
	reports/facts/site_report.c \
	reports/facts/site_report.h \
	reports/facts/site_tables.c \
	reports/facts/site_tables.h \
	reports/facts/site_views.c \
	reports/facts/table_rows.c \
	reports/facts/table_rows.h \
	reports/facts/words.c \
	reports/facts/words.h \
	reports/groups/group_key.c \
	reports/groups/group_key.h \
	reports/groups/group_row.c \
	reports/groups/group_row.h \
	reports/groups/job_conditions.c \
	reports/groups/job_conditions.h \
	reports/groups/job_question.c \
	reports/groups/job_question.h \
	reports/groups/job_sums.c \
	reports/groups/job_sums.h \
	reports/groups/job_totals.c \
	reports/groups/job_totals.h \
	reports/groups/missing.c \
	reports/groups/missing.h \
	reports/groups/rollup.c \
	reports/groups/rollup.h \
	reports/groups/site_groups.c \
	reports/groups/site_groups.h \
	reports/groups/site_summary.c \
	reports/groups/site_summary.h \
	reports/ingest/access.c \
	reports/ingest/access.h \
	reports/ingest/amend.c \
	reports/ingest/amend.h \
	reports/ingest/archive.c \
	reports/ingest/archive.h \
	reports/ingest/batch.c \
	reports/ingest/batch.h \
	reports/ingest/ingest.c \
	reports/ingest/ingest.h \
	reports/ingest/jobs_update.c \
	reports/ingest/jobs_update.h \
	reports/ingest/lines_read.c \
	reports/ingest/lines_read.h \
	reports/ingest/moments.c \
	reports/ingest/moments.h \
	reports/ingest/node_ledger.c \
	reports/ingest/node_ledger.h \
	reports/ingest/reconcile.c \
	reports/ingest/reconcile.h \
	reports/ingest/retention.c \
	reports/ingest/retention.h \
	reports/ingest/site_conf.c \
	reports/ingest/site_conf.h \
	reports/ingest/store_waiting.c \
	reports/ingest/store_waiting.h \
	reports/ingest/transaction.c \
	reports/ingest/transaction.h \
	reports/ingest/watch_retry.c \
	reports/ingest/watch_retry.h \
	reports/lines/line_pack.c \
	reports/lines/line_pack.h \
	reports/lines/line_split.c \
	reports/lines/line_split.h \
	reports/lines/line_words_2.h \
	reports/site_doctor/site_doctor.c \
	reports/site_doctor/site_doctor.h \
	reports/site_doctor/site_doctor_batches.c \
	reports/site_doctor/site_doctor_conf.c \
	reports/site_doctor/site_doctor_database.c \
	reports/site_doctor/site_doctor_mends.c \
	reports/site_doctor/site_doctor_space.c \
	reports/site_doctor/site_doctor_timers.c \
	#
reports_libsite_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(PQ_CFLAGS) $(ZSTD_CFLAGS)
reports_libsite_la_LIBADD = reports/libreports.la $(SQLITE_LIBS) $(PQ_LIBS) $(ZSTD_LIBS) -lpthread

pkglibexec_PROGRAMS += reports/stint-site
reports_stint_site_SOURCES = \
	reports/cmd/cmd_site.c \
	reports/cmd/cmd_summary.c \
	reports/cmd/cmd_summary_mine.c \
	reports/cmd/ingest_options.c \
	reports/cmd/shared_options.c \
	reports/cmd/when.c \
	reports/doctor/doctor_say.c \
	reports/site_cmd/all_databases.c \
	reports/site_cmd/all_databases.h \
	reports/site_cmd/failure.c \
	reports/site_cmd/failure.h \
	reports/site_cmd/ingest_database.c \
	reports/site_cmd/ingest_database.h \
	reports/site_cmd/one_database.c \
	reports/site_cmd/one_database.h \
	reports/site_cmd/opened_stores.c \
	reports/site_cmd/opened_stores.h \
	reports/site_cmd/site_rules.c \
	reports/site_cmd/site_rules.h \
	reports/site_cmd/stint_site.c \
	reports/site_cmd/verb_doctor.c \
	reports/site_cmd/verb_ingest.c \
	reports/site_cmd/verb_report.c \
	reports/site_cmd/verb_summary.c \
	reports/site_cmd/verbs.h \
	reports/stores/site_stores.c \
	reports/stores/site_stores.h \
	reports/stores/site_zone.c \
	reports/stores/site_zone.h \
	#
reports_stint_site_LDADD = reports/libsite.la
dist_man_MANS += reports/stint-site.conf.5
endif

pkgdata_DATA = reports/report.schema.json
EXTRA_DIST += reports/report.schema.json

dist_man_MANS += \
	collector/stint.conf.5 \
	collector/stintd.8 \
	reports/stint-compare.1 \
	reports/stint-doctor.1 \
	reports/stint-export.1 \
	reports/stint-ingest.1 \
	reports/stint-list.1 \
	reports/stint-report.1 \
	reports/stint-summary.1 \
	reports/stint-timeline.1 \
	reports/stint-watch.1 \
	reports/stint.1 \
	#
if HAVE_SITE
installed_site_page = "$(DESTDIR)$(mandir)"/man5/stint-site.conf.5
endif
# An installed page names the directories of this installation.
installed-pages:
	for page in $(installed_site_page) "$(DESTDIR)$(mandir)"/man5/stint.conf.5 "$(DESTDIR)$(mandir)"/man8/stintd.8 "$(DESTDIR)$(mandir)"/man1/stint*.1; do \
		$(SED) -e 's|\\fILOCALSTATEDIR\\fP|$(localstatedir)|g' -e 's|/etc/stint/|$(sysconfdir)/stint/|g' "$$page" >"$$page.tmp" && \
			cat "$$page.tmp" >"$$page" && rm "$$page.tmp" || exit 1; \
	done
bashcompletion_DATA = reports/completion/stint
zshcompletion_DATA = reports/completion/_stint
EXTRA_DIST += reports/completion/stint reports/completion/_stint
