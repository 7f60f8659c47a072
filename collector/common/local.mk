# SPDX-License-Identifier: GPL-2.0-or-later
# What stintd and the reports both stand on: errors, configuration, files, command lines, text.
noinst_LTLIBRARIES += collector/common/libcommon.la
collector_common_libcommon_la_SOURCES = \
	collector/common/cleanup.h \
	collector/common/conf.c \
	collector/common/conf.h \
	collector/common/error.c \
	collector/common/error.h \
	collector/common/escape.c \
	collector/common/escape.h \
	collector/common/file.c \
	collector/common/file.h \
	collector/common/frame.c \
	collector/common/frame.h \
	collector/common/maps.h \
	collector/common/pattern.c \
	collector/common/pattern.h \
	collector/common/programs.h \
	collector/common/show.h \
	collector/common/usage.c \
	collector/common/usage.h \
	collector/common/utf8.c \
	collector/common/utf8.h \
	#
collector_common_libcommon_la_CFLAGS = $(AM_CFLAGS) $(INIH_CFLAGS) $(ZLIB_CFLAGS)
collector_common_libcommon_la_LIBADD = $(INIH_LIBS) $(ZLIB_LIBS)

if HAVE_CMOCKA
common_unit_tests = \
	tests/unit/common_conf \
	tests/unit/common_escape \
	tests/unit/common_file \
	tests/unit/common_frame \
	#
check_PROGRAMS += $(common_unit_tests)
TESTS += $(common_unit_tests)

tests_unit_common_conf_SOURCES = tests/unit/common_conf.c
tests_unit_common_conf_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_common_conf_LDADD = collector/common/libcommon.la $(CMOCKA_LIBS)
tests_unit_common_escape_SOURCES = tests/unit/common_escape.c
tests_unit_common_escape_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_common_escape_LDADD = collector/common/libcommon.la $(CMOCKA_LIBS)
tests_unit_common_file_SOURCES = tests/unit/common_file.c
tests_unit_common_file_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_common_file_LDADD = collector/common/libcommon.la $(CMOCKA_LIBS)
tests_unit_common_frame_SOURCES = tests/unit/common_frame.c
tests_unit_common_frame_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_common_frame_LDADD = collector/common/libcommon.la $(CMOCKA_LIBS)
endif
