/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why a process that has all rights may not use kernel programs, because the errors of bpf() do not say why. */
#ifndef STINT_FORBIDDEN_H
#define STINT_FORBIDDEN_H

#include <stdbool.h>

/*
 * With lockdown=confidentiality, bpf_tracing_func_proto() in kernel/trace/bpf_trace.c offers no
 * bpf_probe_read_kernel(). With lockdown=integrity, which distributions set with Secure Boot, BPF can read kernel
 * memory.
 */
#define FORBIDDEN_BY_LOCKDOWN "lockdown=confidentiality, set by Secure Boot or at boot, forbids BPF to read kernel memory"
#define FORBIDDEN_BY_SELINUX "SELinux is enforcing: 'ausearch -m AVC -c stintd' shows what it denied"

/* Returns whether the kernel's lockdown is set to confidentiality. */
bool forbidden_by_lockdown(void);

/* Returns whether SELinux enforces its policy. If it does, the policy may be why a call failed with EACCES or EPERM. */
bool forbidden_by_selinux(void);

#endif
