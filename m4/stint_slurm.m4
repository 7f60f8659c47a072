# SPDX-License-Identifier: GPL-2.0-or-later
# STINT_SLURM: spank.h and libslurm of the one Slurm release (YY.MM) that the plugin is built for.
# Slurm loads a plugin of its own major.minor only, so the release is read from the header.
AC_DEFUN([STINT_SLURM], [
	AC_REQUIRE([AC_PROG_CPP])
	AC_ARG_WITH([slurm], AS_HELP_STRING([--with-slurm=PREFIX], [where Slurm is installed (default: the system)]),
		[slurm_prefix=$withval], [slurm_prefix=])
	SLURM_CPPFLAGS=
	SLURM_LDFLAGS=
	AS_IF([test -n "$slurm_prefix"], [
		SLURM_CPPFLAGS="-isystem $slurm_prefix/include" dnl its warnings are not ours
		SLURM_LDFLAGS="-L$slurm_prefix/lib64 -L$slurm_prefix/lib -L$slurm_prefix/lib/slurm"])
	stint_save_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
	AC_CHECK_HEADER([slurm/spank.h], [],
		[AC_MSG_ERROR([slurm/spank.h was not found (Debian: libslurm-dev; RHEL: slurm-devel; else --with-slurm=PREFIX)])])
	AC_CACHE_CHECK([the Slurm release], [stint_cv_slurm_version], [
		stint_cv_slurm_version=`printf '@%:@include <slurm/slurm_version.h>\nstint SLURM_VERSION_NUMBER\n' |
			$CPP -P $CPPFLAGS - 2>&AS_MESSAGE_LOG_FD | $SED -n 's/^stint 0x\([[0-9a-fA-F]]*\).*/\1/p' |
			while read -r n; do v=$((0x$n)); printf '%d.%02d.%d' $((v >> 16)) $((v >> 8 & 255)) $((v & 255)); done`])
	STINT_SLURM_COMPAT
	CPPFLAGS=$stint_save_CPPFLAGS
	slurm_version=$stint_cv_slurm_version
	AS_IF([test -z "$slurm_version"], [AC_MSG_ERROR([slurm_version.h does not name its release])])
	AC_ARG_WITH([spankdir], AS_HELP_STRING([--with-spankdir=DIR], [where stint.so goes (default: LIBDIR/stint)]),
		[spankdir=$withval], [spankdir='${libdir}/stint'])
	AC_SUBST([spankdir])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([SLURM_LDFLAGS])
	AC_SUBST([slurm_version])
])

# STINT_SLURM_COMPAT: which of the forms that spank/slurm_job/slurm_compat.h knows the headers have.
AC_DEFUN([STINT_SLURM_COMPAT], [
	STINT_SLURM_HAS([SLURM_HAS_HOSTLIST_STRUCT], [whether Slurm's host lists are hostlist_t *],
		[hostlist_t *(*f)(const char *) = slurm_hostlist_create; (void)f;])
	STINT_SLURM_HAS([SLURM_HAS_LIST_STRUCT], [whether Slurm's lists are list_t *],
		[list_t *(*f)(ListDelF) = slurm_list_create; (void)f;])
	STINT_SLURM_HAS([SLURM_LOADS_JOB_BY_STEP_ID], [whether slurm_load_job takes a slurm_step_id_t],
		[int (*f)(job_info_msg_t **, slurm_step_id_t, uint16_t) = slurm_load_job; (void)f;])
])

# STINT_SLURM_HAS(MACRO, QUESTION, STATEMENTS): defines MACRO where the statements are right for Slurm's headers.
AC_DEFUN([STINT_SLURM_HAS], [
	AS_VAR_PUSHDEF([stint_answer], [stint_cv_$1])
	AC_CACHE_CHECK([$2], [stint_answer], [
		stint_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -Werror=incompatible-pointer-types"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[@%:@include <slurm/slurm.h>]], [[$3]])],
			[AS_VAR_SET([stint_answer], [yes])], [AS_VAR_SET([stint_answer], [no])])
		CFLAGS=$stint_save_CFLAGS])
	AS_VAR_IF([stint_answer], [yes], [AC_DEFINE([$1], [1], [$2])])
	AS_VAR_POPDEF([stint_answer])
])
