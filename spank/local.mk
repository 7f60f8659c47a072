# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin, which links libc only, and what asks slurmctld: all that is built for one release of Slurm.
noinst_LTLIBRARIES += spank/libspank.la
# Built by itself and not from libcommon: that links more than libc.
spank_libspank_la_SOURCES = \
	collector/common/cleanup.h \
	collector/common/error.c \
	collector/common/error.h \
	collector/common/escape.c \
	collector/common/escape.h \
	collector/common/pattern.c \
	collector/common/pattern.h \
	collector/common/utf8.c \
	collector/common/utf8.h \
	spank/control.h \
	spank/message.c \
	spank/message.h \
	spank/note.c \
	spank/note.h \
	spank/options.c \
	spank/options.h \
	#
spank_libspank_la_CFLAGS = $(AM_CFLAGS)

# slurmd and srun load the plugin, and have no sanitizer in them: there it is built of plain objects.
if SANITIZERS
noinst_LTLIBRARIES += spank/libplain.la
spank_libplain_la_SOURCES = $(spank_libspank_la_SOURCES)
spank_libplain_la_CFLAGS = $(PLAIN_CFLAGS)
spank_plugin_library = spank/libplain.la
else
spank_plugin_library = spank/libspank.la
endif

spank_LTLIBRARIES = spank/stint.la
spank_stint_la_SOURCES = \
	spank/epilog.c \
	spank/epilog.h \
	spank/plugin.c \
	spank/step.c \
	spank/step.h \
	#
spank_stint_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
spank_stint_la_LDFLAGS = -module -avoid-version -shared \
	-Wl,--version-script=$(srcdir)/spank/stint.map -Wl,-z,now -Wl,-z,relro
spank_stint_la_CFLAGS = $(PLAIN_CFLAGS)
spank_stint_la_LIBADD = $(spank_plugin_library)
spank_stint_la_DEPENDENCIES = $(spank_plugin_library) spank/stint.map
EXTRA_DIST += spank/stint.map

pkglibexec_PROGRAMS += spank/stint-slurm-job
spank_stint_slurm_job_SOURCES = \
	spank/comment.c \
	spank/comment.h \
	spank/job_json.c \
	spank/job_json.h \
	spank/slurm_job.c \
	spank/tres.c \
	spank/tres.h \
	collector/common/utf8.c \
	collector/common/utf8.h \
	#
spank_stint_slurm_job_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
spank_stint_slurm_job_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
spank_stint_slurm_job_LDFLAGS = $(AM_LDFLAGS) $(SLURM_LDFLAGS)
spank_stint_slurm_job_LDADD = -lslurm $(JSON_C_LIBS)

dist_man_MANS += spank/stint-spank.8

if HAVE_CMOCKA
spank_unit_tests = \
	tests/unit/spank_message \
	tests/unit/spank_note \
	tests/unit/spank_options \
	tests/unit/spank_job_json \
	tests/unit/spank_job_text \
	#
check_PROGRAMS += $(spank_unit_tests)
TESTS += $(spank_unit_tests)

tests_unit_spank_message_SOURCES = tests/unit/spank_message.c
tests_unit_spank_message_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_spank_message_LDADD = spank/libspank.la $(CMOCKA_LIBS) -lpthread
tests_unit_spank_note_SOURCES = tests/unit/spank_note.c
tests_unit_spank_note_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_spank_note_LDADD = spank/libspank.la $(CMOCKA_LIBS)
tests_unit_spank_options_SOURCES = tests/unit/spank_options.c
tests_unit_spank_options_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_spank_options_LDADD = spank/libspank.la $(CMOCKA_LIBS)
tests_unit_spank_job_json_SOURCES = \
	spank/job_json.c \
	spank/tres.c \
	collector/common/utf8.c \
	tests/unit/spank_job_json.c \
	#
tests_unit_spank_job_json_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_unit_spank_job_json_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_spank_job_json_LDFLAGS = $(AM_LDFLAGS) $(SLURM_LDFLAGS)
tests_unit_spank_job_json_LDADD = -lslurm $(JSON_C_LIBS) $(CMOCKA_LIBS)
tests_unit_spank_job_text_SOURCES = \
	spank/tres.c \
	collector/common/utf8.c \
	tests/unit/spank_job_text.c \
	#
tests_unit_spank_job_text_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_unit_spank_job_text_LDADD = $(CMOCKA_LIBS)
endif

# The plugin is loaded into every slurmstepd and srun: a further library, or a symbol left open, would be theirs too.
TESTS += tests/unit/spank_plugin_links
EXTRA_DIST += tests/unit/spank_plugin_links
