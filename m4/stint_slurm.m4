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
		SLURM_CPPFLAGS="-I$slurm_prefix/include"
		SLURM_LDFLAGS="-L$slurm_prefix/lib64 -L$slurm_prefix/lib -L$slurm_prefix/lib/slurm"])
	stint_save_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
	AC_CHECK_HEADER([slurm/spank.h], [],
		[AC_MSG_ERROR([slurm/spank.h was not found (Debian: libslurm-dev; RHEL: slurm-devel; else --with-slurm=PREFIX)])])
	AC_CACHE_CHECK([the Slurm release], [stint_cv_slurm_version], [
		stint_cv_slurm_version=`printf '@%:@include <slurm/slurm_version.h>\nstint SLURM_VERSION_NUMBER\n' |
			$CPP -P $CPPFLAGS - 2>&AS_MESSAGE_LOG_FD | $SED -n 's/^stint 0x\([[0-9a-fA-F]]*\).*/\1/p' |
			while read -r n; do v=$((0x$n)); printf '%d.%02d.%d' $((v >> 16)) $((v >> 8 & 255)) $((v & 255)); done`])
	CPPFLAGS=$stint_save_CPPFLAGS
	slurm_version=$stint_cv_slurm_version
	AS_IF([test -z "$slurm_version"], [AC_MSG_ERROR([slurm_version.h does not tell its release])])
	AC_ARG_WITH([spankdir], AS_HELP_STRING([--with-spankdir=DIR], [where stint.so goes (default: LIBDIR/stint)]),
		[spankdir=$withval], [spankdir='${libdir}/stint'])
	AC_SUBST([spankdir])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([SLURM_LDFLAGS])
	AC_SUBST([slurm_version])
])
