# SPDX-License-Identifier: GPL-2.0-or-later
# STINT_WARNINGS: the warnings the tree is kept free of, in AM_CFLAGS' part WARN_CFLAGS.
AC_DEFUN([STINT_WARNINGS], [
	WARN_CFLAGS="-Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wshadow"
	AC_ARG_ENABLE([werror],
		AS_HELP_STRING([--enable-werror], [a warning fails the build]),
		[test "x$enableval" = xno || WARN_CFLAGS="$WARN_CFLAGS -Werror"])
	AC_SUBST([WARN_CFLAGS])
])
