/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what forbids a process with all rights to use kernel programs. The errors of bpf() do not say so. */
#ifndef STINT_FORBIDDEN_H
#define STINT_FORBIDDEN_H

#include <stdbool.h>

/*
 * With lockdown=confidentiality, bpf_tracing_func_proto() in kernel/trace/bpf_trace.c offers no
 * bpf_probe_read_kernel(). lockdown=integrity, which distributions set with Secure Boot, lets BPF read kernel memory.
 */
#define FORBIDDEN_BY_LOCKDOWN "lockdown=confidentiality, set by Secure Boot or at boot, forbids BPF to read kernel memory"
#define FORBIDDEN_BY_SELINUX "SELinux is enforcing: 'ausearch -m AVC -c stintd' shows what it denied"

/* Returns whether the kernel's lockdown is at confidentiality. */
bool forbidden_by_lockdown(void);

/* Returns whether SELinux enforces its policy. If so, it may be the reason for a call that failed with EACCES or EPERM. */
bool forbidden_by_selinux(void);

#endif
