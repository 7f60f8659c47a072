# SPDX-License-Identifier: GPL-2.0-or-later
# STINT_PACKAGING: what packages say about their makers and stint's home. Nothing is made up: a field that is not given
# is left out.
AC_DEFUN([STINT_PACKAGING], [
	STINT_PACKAGING_FIELD([maintainer], [MAINTAINER], ['NAME <ADDRESS>'], [who maintains the packages])
	STINT_PACKAGING_FIELD([homepage], [HOMEPAGE], [URL], [where stint is described])
	STINT_PACKAGING_FIELD([vcs-git], [VCS_GIT], [URL], [of the Git repository])
	STINT_PACKAGING_FIELD([vcs-browser], [VCS_BROWSER], [URL], [where the repository can be looked at])
	STINT_PACKAGING_FIELD([bug-address], [BUG_ADDRESS], [ADDRESS], [where bugs are reported: a mail address or a URL])
	AS_CASE([$MAINTAINER], [''|?*' <'?*'@'?*'>'], [], [AC_MSG_ERROR([--with-maintainer wants 'NAME <ADDRESS>', and has '$MAINTAINER'])])
	AS_IF([test -n "$BUG_ADDRESS"], [AC_DEFINE_UNQUOTED([BUG_ADDRESS], ["$BUG_ADDRESS"], [Where bugs are reported.])])
])

# STINT_PACKAGING_FIELD(OPTION, VARIABLE, METAVARIABLE, HELP)
AC_DEFUN([STINT_PACKAGING_FIELD], [
	AC_ARG_WITH([$1], AS_HELP_STRING([--with-$1=$3], [for packages: $4 (default: not said)]), [], [AS_VAR_SET([with_]m4_translit([$1], [-], [_]), [])])
	AS_VAR_COPY([$2], [with_]m4_translit([$1], [-], [_]))
	AS_CASE(["$$2"],
		[yes|no], [AC_MSG_ERROR([--with-$1 wants a value])],
		[*@<:@\'\"\`\$\\\&\|%@:>@*], [AC_MSG_ERROR([--with-$1: quotes, dollars, bars, &, % and backslashes may not be in it])])
	AC_SUBST([$2])
])

# STINT_PLAIN_PATHS: plugstack.conf and systemd's units split lines at blanks, so the directories of an installation have none.
# (make refuses a DESTDIR with blanks: libtool installs into none.)
AC_DEFUN([STINT_PLAIN_PATHS], [
	stint_prefix=$prefix stint_exec_prefix=$exec_prefix
	test "x$prefix" != xNONE || prefix=$ac_default_prefix
	test "x$exec_prefix" != xNONE || exec_prefix=$prefix
	for stint_name in prefix exec_prefix bindir sbindir libdir libexecdir datarootdir datadir sysconfdir localstatedir mandir docdir \
		spankdir systemdsystemunitdir bashcompletiondir zshcompletiondir; do
		eval "stint_path=\$$stint_name"
		for stint_name_in in 1 2 3 4; do
			eval "stint_path=\"$stint_path\""
		done
		AS_CASE([$stint_path], [*@<:@!A-Za-z0-9/._+:@=,~%-@:>@*],
			[AC_MSG_ERROR([$stint_name is '$stint_path': Slurm's and systemd's files can name no path with blanks or such characters])])
	done
	prefix=$stint_prefix exec_prefix=$stint_exec_prefix
])
