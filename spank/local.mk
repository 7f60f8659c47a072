# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin, which links only libc, and the program that asks slurmctld. Nothing else is built for one release of Slurm.
noinst_LTLIBRARIES += spank/libspank.la
# This library has its own objects, because libcommon links more than libc.
spank_libspank_la_SOURCES = \
	common/cleanup.h \
	common/error.c \
	common/error.h \
	common/escape.c \
	common/escape.h \
	common/pattern.c \
	common/pattern.h \
	common/utf8.c \
	common/utf8.h \
	common/control.h \
	spank/message.c \
	spank/message.h \
	spank/note.c \
	spank/note.h \
	spank/off.c \
	spank/off.h \
	spank/options.c \
	spank/options.h \
	spank/root.c \
	spank/root.h \
	#
spank_libspank_la_CFLAGS = $(AM_CFLAGS)

# slurmd and srun load the plugin. They are built without a sanitizer, so the plugin is built from objects without one, too.
if SANITIZERS
noinst_LTLIBRARIES += spank/libplain.la
spank_libplain_la_SOURCES = $(spank_libspank_la_SOURCES)
spank_libplain_la_CFLAGS = $(PLAIN_CFLAGS)
spank_plugin_library = spank/libplain.la
else
spank_plugin_library = spank/libspank.la
endif

spank_LTLIBRARIES = spank/stint.la spank/stint_contain.la
plugin_sources = \
	spank/plugin.c \
	spank/plugin.h \
	spank/step.c \
	spank/step.h \
	#
plugin_link = -module -avoid-version -shared \
	-Wl,--version-script=$(srcdir)/spank/stint.map -Wl,-z,now -Wl,-z,relro

spank_stint_la_SOURCES = $(plugin_sources) spank/epilog.c
spank_stint_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
spank_stint_la_LDFLAGS = $(plugin_link)
spank_stint_la_CFLAGS = $(PLAIN_CFLAGS)
spank_stint_la_LIBADD = $(spank_plugin_library)
spank_stint_la_DEPENDENCIES = $(spank_plugin_library) spank/stint.map

spank_stint_contain_la_SOURCES = $(plugin_sources) spank/no_epilog.c
spank_stint_contain_la_CPPFLAGS = $(spank_stint_la_CPPFLAGS)
spank_stint_contain_la_LDFLAGS = $(plugin_link)
spank_stint_contain_la_CFLAGS = $(spank_stint_la_CFLAGS)
spank_stint_contain_la_LIBADD = $(spank_plugin_library)
spank_stint_contain_la_DEPENDENCIES = $(spank_stint_la_DEPENDENCIES)
EXTRA_DIST += spank/stint.map
# Nothing links the plugins, so they need no libtool archive. Without it, libtool does not know which files to uninstall.
plugin-alone:
	rm -f "$(DESTDIR)$(spankdir)/stint.la" "$(DESTDIR)$(spankdir)/stint_contain.la"
uninstall-hook:
	rm -f "$(DESTDIR)$(spankdir)/stint.so" "$(DESTDIR)$(spankdir)/stint_contain.so"
	for directory in $(own_directories); do rmdir "$(DESTDIR)$$directory" 2>/dev/null; done; :

pkglibexec_PROGRAMS += spank/stint-slurm-job
spank_stint_slurm_job_SOURCES = \
	spank/slurm_job/array_tasks.c \
	spank/slurm_job/array_tasks.h \
	spank/slurm_job/comment.c \
	spank/slurm_job/comment.h \
	spank/slurm_job/job_json.c \
	spank/slurm_job/job_json.h \
	spank/slurm_job/jobs.c \
	spank/slurm_job/jobs.h \
	spank/slurm_job/memory_default.c \
	spank/slurm_job/memory_default.h \
	spank/slurm_job/people.c \
	spank/slurm_job/people.h \
	spank/slurm_job/gpus.c \
	spank/slurm_job/gpus.h \
	spank/slurm_job/slurm_compat.h \
	spank/slurm_job/slurm_job.c \
	spank/slurm_job/slurm_serve.c \
	spank/slurm_job/slurm_serve.h \
	spank/slurm_job/steps.c \
	spank/slurm_job/steps.h \
	spank/slurm_job/tres.c \
	spank/slurm_job/tres.h \
	common/cleanup.h \
	common/js1_form.c \
	common/js1_form.h \
	common/json_writer.c \
	common/json_writer.h \
	common/memory/array.c \
	common/memory/array.h \
	common/process/helper.c \
	common/process/helper.h \
	common/time_text.c \
	common/time_text.h \
	common/utf8.c \
	common/utf8.h \
	#
spank_stint_slurm_job_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
spank_stint_slurm_job_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(ZLIB_CFLAGS)
spank_stint_slurm_job_LDFLAGS = $(AM_LDFLAGS) $(SLURM_LDFLAGS)
spank_stint_slurm_job_LDADD = -lslurm $(JSON_C_LIBS) $(ZLIB_LIBS)

dist_man_MANS += spank/stint-spank.8
