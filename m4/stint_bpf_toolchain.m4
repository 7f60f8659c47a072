# SPDX-License-Identifier: GPL-2.0-or-later
# STINT_BPF_TOOLCHAIN: clang with a BPF back end, and bpftool (often in /usr/sbin).
AC_DEFUN([STINT_BPF_TOOLCHAIN], [
	AC_ARG_VAR([BPF_CLANG], [clang that compiles the kernel programs])
	AC_ARG_VAR([BPFTOOL], [bpftool that links them and makes the skeleton])
	dnl One that is named is taken as it is: AC_PATH_PROGS would look for its own names unless this one has a path.
	AS_IF([test -z "$BPF_CLANG"], [AC_PATH_PROGS([BPF_CLANG], [clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang-13])])
	AS_IF([test -z "$BPF_CLANG"], [AC_MSG_ERROR([clang was not found; it compiles the kernel programs (BPF_CLANG=...)])])
	AS_IF([test -z "$BPFTOOL"], [AC_PATH_PROG([BPFTOOL], [bpftool], [], [$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/sbin])])
	AS_IF([test -z "$BPFTOOL"], [AC_MSG_ERROR([bpftool was not found (Debian: bpftool)])])
	AC_CACHE_CHECK([whether $BPF_CLANG has a BPF back end], [stint_cv_clang_bpf],
		[AS_IF([echo 'int x;' | $BPF_CLANG -target bpf -mcpu=v3 -c -x c -o /dev/null - 2>&AS_MESSAGE_LOG_FD],
			[stint_cv_clang_bpf=yes], [stint_cv_clang_bpf=no])])
	AS_IF([test "x$stint_cv_clang_bpf" = xno], [AC_MSG_ERROR([$BPF_CLANG cannot compile for BPF])])
	AC_CANONICAL_HOST
	AS_CASE([$host_cpu],
		[x86_64|i?86], [BPF_ARCH=x86],
		[aarch64], [BPF_ARCH=arm64],
		[powerpc64*|ppc64*], [BPF_ARCH=powerpc],
		[s390*], [BPF_ARCH=s390],
		[riscv*], [BPF_ARCH=riscv],
		[AC_MSG_ERROR([no BPF architecture is known for $host_cpu])])
	AC_SUBST([BPF_ARCH])
	dnl clang leaves the host's include directories out when it compiles for BPF; <asm/types.h> is in one of them.
	BPF_SYSTEM_INCLUDES=`$BPF_CLANG -v -E -x c - </dev/null 2>&1 |
		$SED -n '/<...> search starts here:/,/End of search list./{ s| \(/.*\)|-idirafter \1|p; }' | tr '\n' ' '`
	AC_SUBST([BPF_SYSTEM_INCLUDES])
])
