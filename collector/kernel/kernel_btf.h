/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what the running kernel supports, by reading the kernel's BTF and by trials.
 */
#ifndef STINT_KERNEL_BTF_H
#define STINT_KERNEL_BTF_H

#include <stdbool.h>

#include "common/error.h"

struct btf;

struct kernel {
	struct btf *btf;
	struct btf *fuse; /* BTF of the module fuse; NULL: the module is not loaded */
	bool functions_tried;
	bool functions; /* valid if functions_tried is true: programs can be attached to kernel functions */
};

/* Reads the kernel's BTF. Returns 0; -1 with @err set if the kernel has none. Call kernel_close() in both cases. */
int kernel_open(struct kernel *kernel, struct error *err);
void kernel_close(struct kernel *kernel);

bool kernel_has_tracepoint(const struct kernel *kernel, const char *name);

/* Returns how many arguments the tracepoint @name passes to a program; 0 if there is no such tracepoint. */
int kernel_arguments_of(const struct kernel *kernel, const char *name);

bool kernel_has_function(const struct kernel *kernel, const char *name);

/* Returns the number that the function @name has in the kernel's BTF; 0 if there is no such function. */
unsigned int kernel_function_id(const struct kernel *kernel, const char *name);

/* Returns true if the kernel's structure @type has the member @name. */
bool kernel_has_member(const struct kernel *kernel, const char *type, const char *name);

/*
 * Returns true if programs can be attached to kernel functions (fentry, fexit). Finds this out by a trial in the first
 * call.
 */
bool kernel_functions_attach(struct kernel *kernel);

/*
 * Returns true if the first argument of the tracepoint mark_victim is the victim's pid. In newer kernels, it is the
 * victim's task.
 */
bool kernel_victim_is_a_pid(const struct kernel *kernel);

/*
 * Returns true if an io_uring request itself contains its result (since Linux 5.19). The programs need this, because
 * the arguments of the tracepoint do not have all that is needed.
 */
bool kernel_requests_hold_results(const struct kernel *kernel);

/*
 * Returns the BTF number of the tracepoint @name, so that a program can be attached to it; 0 if there is no such
 * tracepoint.
 */
unsigned int kernel_tracepoint_id(const struct kernel *kernel, const char *name);

/* Returns the BTF number of the iterator @name, such as "task" or "bpf_map"; 0 if there is no such iterator. */
unsigned int kernel_iterator_id(const struct kernel *kernel, const char *name);

#endif
