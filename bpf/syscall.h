/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A system call's number and arguments, from the registers it was entered with. Not the types that are there: of
 * both flavours the kernel has one.
 */
#ifndef STINT_SYSCALL_H
#define STINT_SYSCALL_H

#include "bpf/kernel.h"

#if defined(__TARGET_ARCH_arm64)
#define SYSCALL_FUNCTION "__arm64_sys_"
#else
#define SYSCALL_FUNCTION "__x64_sys_"
#endif

/* Its number; below 0: none. */
static __always_inline s64 syscall_number(const struct pt_regs *regs)
{
	const struct pt_regs___x64 *x64 = (const void *)regs;
	const struct pt_regs___a64 *a64 = (const void *)regs;

	if (bpf_core_field_exists(x64->orig_ax))
		return x64->orig_ax;
	if (bpf_core_field_exists(a64->syscallno))
		return a64->syscallno;
	return -1;
}

/* Its argument @index, from 0 to 3. They are still there when it returns. */
static __always_inline u64 syscall_argument(const struct pt_regs *regs, u32 index)
{
	const struct pt_regs___x64 *x64 = (const void *)regs;
	const struct pt_regs___a64 *a64 = (const void *)regs;

	if (bpf_core_field_exists(x64->orig_ax)) {
		switch (index) {
		case 0:
			return x64->di;
		case 1:
			return x64->si;
		case 2:
			return x64->dx;
		case 3:
			return x64->r10;
		}
	} else if (bpf_core_field_exists(a64->syscallno)) {
		return index ? a64->regs[index & 3] : a64->orig_x0;
	}
	return 0;
}

#endif
