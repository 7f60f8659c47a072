/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the number and arguments of a system call.
 *
 * Test for fields, not for types: to CO-RE, pt_regs___x64 and pt_regs___a64 are both the kernel's struct pt_regs.
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

#define STACK_BYTES 16384 /* THREAD_SIZE of x86-64 and arm64 */

/* Works like bpf_task_pt_regs(): task_pt_regs() in asm/processor.h. */
static __always_inline const struct pt_regs *registers_on_stack(struct task_struct *task, const struct settings *s)
{
	u64 bytes = s && s->page_bytes > STACK_BYTES ? s->page_bytes : STACK_BYTES;

	return task->stack + bytes - bpf_core_type_size(struct pt_regs);
}

/* Only a helper can read at an address from registers_on_stack(). */
#define REGISTER(regs, name) (registers ? (regs)->name : BPF_CORE_READ(regs, name))

/* Returns the number; below 0 if the thread is in no system call. */
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

/* @index: 0 to 3. Also works when the call returns. */
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
