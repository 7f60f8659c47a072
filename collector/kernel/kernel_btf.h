/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what the running kernel supports, in the kernel's BTF and by trying. */
#ifndef STINT_KERNEL_BTF_H
#define STINT_KERNEL_BTF_H

#include <stdbool.h>

#include "common/error.h"

struct btf;

struct kernel {
	struct btf *btf;
	struct btf *fuse; /* BTF of the module fuse; NULL: not loaded */
	bool functions_tried;
	bool functions; /* programs can be attached to kernel functions */
};

/* Reads the kernel's BTF. Returns 0; -1 with @err set if the kernel has none. Call kernel_close() in both cases. */
int kernel_open(struct kernel *kernel, struct error *err);
void kernel_close(struct kernel *kernel);

bool kernel_has_tracepoint(const struct kernel *kernel, const char *name);

/* Returns how many arguments a program gets from the tracepoint @name; 0 if there is no such tracepoint. */
int kernel_arguments_of(const struct kernel *kernel, const char *name);

bool kernel_has_function(const struct kernel *kernel, const char *name);

/* Returns the number of the function @name in the kernel's BTF; 0 if there is none. */
unsigned int kernel_function_id(const struct kernel *kernel, const char *name);

/* Returns true if the structure @type has the member @name. */
bool kernel_has_member(const struct kernel *kernel, const char *type, const char *name);

/* Returns true if programs can be attached to functions (fentry, fexit). The first call tries it. */
bool kernel_functions_attach(struct kernel *kernel);

/* Returns true if the first argument of mark_victim is the victim's pid. In newer kernels, it is the victim's task. */
bool kernel_victim_is_a_pid(const struct kernel *kernel);

/*
 * Returns true if a request to io_uring holds its own result (since Linux 5.19). The arguments of the tracepoint do not
 * have all that is needed.
 */
bool kernel_requests_hold_results(const struct kernel *kernel);

/* Returns the number of the tracepoint @name, to which a program can be attached; 0 if there is none. */
unsigned int kernel_tracepoint_id(const struct kernel *kernel, const char *name);

/* Returns the number of the iterator @name, such as "task" or "bpf_map"; 0 if there is none. */
unsigned int kernel_iterator_id(const struct kernel *kernel, const char *name);

#endif
