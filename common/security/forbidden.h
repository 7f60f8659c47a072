/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what forbids kernel programs to a process with all rights: the errors of bpf() do not say so. */
#ifndef STINT_FORBIDDEN_H
#define STINT_FORBIDDEN_H

#include <stdbool.h>

/*
 * The effect of lockdown=confidentiality: bpf_tracing_func_proto() in kernel/trace/bpf_trace.c then has no
 * bpf_probe_read_kernel(). lockdown=integrity, which distributions set with Secure Boot, lets BPF read.
 */
#define FORBIDDEN_BY_LOCKDOWN "lockdown=confidentiality, set by Secure Boot or at boot, forbids BPF to read kernel memory"
#define FORBIDDEN_BY_SELINUX "SELinux is enforcing: 'ausearch -m AVC -c stintd' shows what it denied"

/* Whether the kernel's lockdown is at confidentiality. */
bool forbidden_by_lockdown(void);

/* Whether SELinux enforces its policy: it may have denied a call that failed by EACCES or EPERM. */
bool forbidden_by_selinux(void);

#endif
