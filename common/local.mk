# SPDX-License-Identifier: GPL-2.0-or-later
# The code that stintd and the reports both use: errors, configuration, files, command lines, text.
noinst_LTLIBRARIES += common/libcommon.la
common_libcommon_la_SOURCES = \
	common/cgroup/memory_bound.c \
	common/cgroup/memory_bound.h \
	common/cleanup.h \
	common/clock.h \
	common/conf.c \
	common/conf.h \
	common/control.c \
	common/control.h \
	common/error.c \
	common/error.h \
	common/escape.c \
	common/escape.h \
	common/file.c \
	common/file.h \
	common/frame.c \
	common/frame.h \
	common/js1_form.c \
	common/js1_form.h \
	common/json_writer.c \
	common/json_writer.h \
	common/log_line.c \
	common/log_line.h \
	common/map_bounds.h \
	common/memory/arena.c \
	common/memory/arena.h \
	common/memory/array.c \
	common/memory/array.h \
	common/memory/map.c \
	common/memory/map.h \
	common/memory/memory_limit.c \
	common/memory/memory_limit.h \
	common/memory/memory_quick.c \
	common/memory/memory_quick.h \
	common/pack.c \
	common/pack.h \
	common/pattern.c \
	common/pattern.h \
	common/process/child.c \
	common/process/child.h \
	common/process/helper.c \
	common/process/helper.h \
	common/process/subprocess.c \
	common/process/subprocess.h \
	common/process/writer_process.h \
	common/program_names.h \
	common/query.h \
	common/record_name.c \
	common/record_name.h \
	common/security/forbidden.c \
	common/security/forbidden.h \
	common/spool/waiting.c \
	common/spool/waiting.h \
	common/suffix.h \
	common/sum_list.h \
	common/time_text.c \
	common/time_text.h \
	common/usage.c \
	common/usage.h \
	common/utf8.c \
	common/utf8.h \
	#
common_libcommon_la_CFLAGS = $(AM_CFLAGS) $(INIH_CFLAGS) $(JSON_C_CFLAGS) $(ZLIB_CFLAGS)
common_libcommon_la_LIBADD = $(INIH_LIBS) $(ZLIB_LIBS)
