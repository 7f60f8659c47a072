dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl STINT_DYGRAPHS: DYGRAPHS is the charting library's file, which goes into the pages of stint report --html; empty
dnl where there is none, and tables stand in the place of charts.
dnl The one that the pages are tested with.
m4_define([stint_npm_dygraphs], [dygraphs@2.2.1])
AC_DEFUN([STINT_DYGRAPHS], [
AC_ARG_WITH([dygraphs],
	AS_HELP_STRING([--with-dygraphs=FILE],
		[dygraph.min.js, or a tarball of dygraphs with it, for the charts of HTML pages; npm fetches that; or yes, no (default: where Debian's libjs-dygraphs has it, if it is there)]),
	[], [with_dygraphs=auto])
stint_dygraphs=/usr/share/javascript/dygraphs/dygraph.min.js
AS_CASE([$with_dygraphs],
	[no], [DYGRAPHS=],
	[yes], [DYGRAPHS=$stint_dygraphs],
	[auto], [AS_IF([test -r $stint_dygraphs], [DYGRAPHS=$stint_dygraphs], [DYGRAPHS=])],
	[npm], [
		AC_MSG_CHECKING([for dygraphs stint_npm_dygraphs from npm])
		stint_packed=`npm pack --silent stint_npm_dygraphs 2>&AS_MESSAGE_LOG_FD | tail -n 1`
		AS_IF([test -f "$stint_packed"], [AC_MSG_RESULT([$stint_packed])], [AC_MSG_ERROR([npm pack stint_npm_dygraphs failed: see config.log])])
		DYGRAPHS=$stint_packed],
	[DYGRAPHS=$with_dygraphs])
AS_CASE([$DYGRAPHS], [*.tgz|*.tar.gz|*.tar|*.tar.xz], [
	stint_member=`tar -tf "$DYGRAPHS" | grep '/dist/dygraph\.min\.js$' | head -n 1`
	AS_IF([test -n "$stint_member" && tar -xOf "$DYGRAPHS" "$stint_member" >dygraph.min.js], [],
		[AC_MSG_ERROR([$DYGRAPHS: no tarball with dist/dygraph.min.js])])
	DYGRAPHS=`pwd`/dygraph.min.js])
AS_IF([test -n "$DYGRAPHS"], [
	AS_IF([test ! -r "$DYGRAPHS"], [AC_MSG_ERROR([$DYGRAPHS: cannot be read; install libjs-dygraphs, or see --with-dygraphs])])
	AS_IF([grep -q Dygraph "$DYGRAPHS"], [], [AC_MSG_ERROR([$DYGRAPHS: not dygraphs])])
])
AC_SUBST([DYGRAPHS])
])
