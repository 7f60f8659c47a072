/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why root may not use kernel programs. The errors of bpf() do not say why. */
#ifndef STINT_FORBIDDEN_H
#define STINT_FORBIDDEN_H

#include <stdbool.h>

/*
 * lockdown=confidentiality forbids bpf_probe_read_kernel() (bpf_tracing_func_proto(), kernel/trace/bpf_trace.c).
 * lockdown=integrity, as with Secure Boot, does not.
 */
#define FORBIDDEN_BY_LOCKDOWN "lockdown=confidentiality, set by Secure Boot or at boot, forbids BPF to read kernel memory"
#define FORBIDDEN_BY_SELINUX "SELinux is enforcing: 'ausearch -m AVC -c stintd' shows what it denied"

/* Returns whether lockdown is set to confidentiality. */
bool forbidden_by_lockdown(void);

/* Returns whether SELinux enforces its policy. */
bool forbidden_by_selinux(void);

#endif
