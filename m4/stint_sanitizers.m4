# SPDX-License-Identifier: GPL-2.0-or-later
# STINT_SANITIZERS: builds that end a program at its first mistake. SANITIZE_CFLAGS compile and link all but the plugin,
# which slurmd and srun load, and the tests' own jobs; FUZZ_LDFLAGS link the fuzzers.
AC_DEFUN([STINT_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		AS_HELP_STRING([--enable-sanitizers], [AddressSanitizer and UndefinedBehaviorSanitizer, for tests]),
		[], [enable_sanitizers=no])
	AC_ARG_ENABLE([fuzzers],
		AS_HELP_STRING([--enable-fuzzers], [the same, and tests/fuzz as libFuzzer's targets (CC=clang)]),
		[], [enable_fuzzers=no])
	SANITIZE_CFLAGS=
	FUZZ_LDFLAGS=
	AS_IF([test "x$enable_fuzzers" != xno], [
		enable_sanitizers=yes
		FUZZ_LDFLAGS="-fsanitize=fuzzer"
	])
	AS_IF([test "x$enable_sanitizers" != xno], [
		SANITIZE_CFLAGS="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer"
		AS_IF([test "x$enable_fuzzers" != xno], [SANITIZE_CFLAGS="$SANITIZE_CFLAGS -fsanitize=fuzzer-no-link"])
		STINT_LINKS_WITH([$SANITIZE_CFLAGS], [int main(void) { return 0; }],
			[AC_MSG_ERROR([$CC cannot link with $SANITIZE_CFLAGS (Debian: libasan, or libclang-rt-dev)])])
	])
	AS_IF([test "x$enable_fuzzers" != xno], [
		STINT_LINKS_WITH([$SANITIZE_CFLAGS $FUZZ_LDFLAGS],
			[int LLVMFuzzerTestOneInput(const char *data, unsigned long size);
			 int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return data && size ? 0 : 0; }],
			[AC_MSG_ERROR([$CC has no libFuzzer (CC=clang; Debian: libclang-rt-dev)])])
	])
	AC_SUBST([SANITIZE_CFLAGS])
	AC_SUBST([FUZZ_LDFLAGS])
	AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" != xno])
	AM_CONDITIONAL([FUZZERS], [test "x$enable_fuzzers" != xno])
])

# STINT_LINKS_WITH(FLAGS, PROGRAM, ELSE)
AC_DEFUN([STINT_LINKS_WITH], [
	stint_saved_cflags=$CFLAGS
	CFLAGS="$CFLAGS $1"
	AC_MSG_CHECKING([whether $CC takes $1])
	AC_LINK_IFELSE([AC_LANG_SOURCE([[$2]])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
		$3])
	CFLAGS=$stint_saved_cflags
])
