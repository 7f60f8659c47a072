dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl STINT_DYGRAPHS: DYGRAPHS is the charting library's file, which goes into the pages of stint report --html; empty
dnl where there is none, and tables stand in the place of charts.
AC_DEFUN([STINT_DYGRAPHS], [
AC_ARG_WITH([dygraphs],
	AS_HELP_STRING([--with-dygraphs=FILE],
		[dygraph.min.js, for the charts of HTML pages; or yes, no (default: where Debian's libjs-dygraphs has it, if it is there)]),
	[], [with_dygraphs=auto])
stint_dygraphs=/usr/share/javascript/dygraphs/dygraph.min.js
AS_CASE([$with_dygraphs],
	[no], [DYGRAPHS=],
	[yes], [DYGRAPHS=$stint_dygraphs],
	[auto], [AS_IF([test -r $stint_dygraphs], [DYGRAPHS=$stint_dygraphs], [DYGRAPHS=])],
	[DYGRAPHS=$with_dygraphs])
AS_IF([test -n "$DYGRAPHS"], [
	AS_IF([test ! -r "$DYGRAPHS"], [AC_MSG_ERROR([$DYGRAPHS: cannot be read; install libjs-dygraphs, or see --with-dygraphs])])
	AS_IF([grep -q Dygraph "$DYGRAPHS"], [], [AC_MSG_ERROR([$DYGRAPHS: not dygraphs])])
])
AC_SUBST([DYGRAPHS])
])
