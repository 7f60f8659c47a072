/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a system call's number and arguments from the registers with which the thread entered the kernel. The code asks
 * which fields exist, not which type does, because both flavours stand for the single struct pt_regs that each kernel
 * has.
 */
#ifndef STINT_SYSCALL_H
#define STINT_SYSCALL_H

#include "bpf/abi.h"
#include "bpf/has.h"

#if defined(__TARGET_ARCH_arm64)
#define SYSCALL_FUNCTION "__arm64_sys_"
#else
#define SYSCALL_FUNCTION "__x64_sys_"
#endif

#define STACK_BYTES 16384 /* THREAD_SIZE of x86-64, and of arm64 unless its pages are larger */

/*
 * Returns the same as bpf_task_pt_regs(). The registers are at the end of the stack (task_pt_regs() in
 * asm/processor.h).
 */
static __always_inline const struct pt_regs *registers_on_stack(struct task_struct *task, const struct settings *s)
{
	u64 bytes = s && s->page_bytes > STACK_BYTES ? s->page_bytes : STACK_BYTES;

	return task->stack + bytes - bpf_core_type_size(struct pt_regs);
}

/* Reads a register. At the address that registers_on_stack() has computed, only a helper can read. */
#define REGISTER(regs, name) (registers ? (regs)->name : BPF_CORE_READ(regs, name))

/* Returns the call's number; below 0 if there is no call. */
static __always_inline s64 syscall_number(const struct pt_regs *regs)
{
	const struct pt_regs___x64 *x64 = (const void *)regs;
	const struct pt_regs___a64 *a64 = (const void *)regs;

	if (bpf_core_field_exists(x64->orig_ax))
		return REGISTER(x64, orig_ax);
	if (bpf_core_field_exists(a64->syscallno))
		return REGISTER(a64, syscallno);
	return -1;
}

/* Returns the call's argument @index, from 0 to 3. The arguments are still in the registers when the call returns. */
static __always_inline u64 syscall_argument(const struct pt_regs *regs, u32 index)
{
	const struct pt_regs___x64 *x64 = (const void *)regs;
	const struct pt_regs___a64 *a64 = (const void *)regs;

	if (bpf_core_field_exists(x64->orig_ax)) {
		switch (index) {
		case 0:
			return REGISTER(x64, di);
		case 1:
			return REGISTER(x64, si);
		case 2:
			return REGISTER(x64, dx);
		case 3:
			return REGISTER(x64, r10);
		}
	} else if (bpf_core_field_exists(a64->syscallno)) {
		switch (index) {
		case 0:
			return REGISTER(a64, orig_x0);
		case 1:
			return REGISTER(a64, regs[1]);
		case 2:
			return REGISTER(a64, regs[2]);
		case 3:
			return REGISTER(a64, regs[3]);
		}
	}
	return 0;
}

#endif
