/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what the running kernel supports. */
#ifndef STINT_KERNEL_BTF_H
#define STINT_KERNEL_BTF_H

#include <stdbool.h>

#include "common/error.h"

struct btf;

struct kernel {
	struct btf *btf;
	struct btf *fuse; /* of the module fuse; NULL: not loaded */
	bool functions_tried;
	bool functions; /* valid if functions_tried */
};

/* Reads the kernel's BTF. Returns 0; -1 with @err set if it has none. Call kernel_close() in both cases. */
int kernel_open(struct kernel *kernel, struct error *err);
void kernel_close(struct kernel *kernel);

bool kernel_has_tracepoint(const struct kernel *kernel, const char *name);

/* Returns how many arguments a program gets; 0 if there is no such tracepoint. */
int kernel_arguments_of(const struct kernel *kernel, const char *name);

bool kernel_has_function(const struct kernel *kernel, const char *name);

/* Returns the function's number in the kernel's BTF; 0 if there is none. */
unsigned int kernel_function_id(const struct kernel *kernel, const char *name);

bool kernel_has_member(const struct kernel *kernel, const char *type, const char *name);

/* Returns true if programs can be attached to kernel functions (fentry, fexit). The first call tries this. */
bool kernel_functions_attach(struct kernel *kernel);

/* Returns true if mark_victim passes the victim's pid. In newer kernels, it passes the task. */
bool kernel_victim_is_a_pid(const struct kernel *kernel);

/* Returns true if an io_uring request contains its result (since Linux 5.19). */
bool kernel_requests_hold_results(const struct kernel *kernel);

/* Returns the tracepoint's BTF number; 0 if there is none. */
unsigned int kernel_tracepoint_id(const struct kernel *kernel, const char *name);

/* Returns the BTF number of the iterator ("task", "bpf_map"); 0 if there is none. */
unsigned int kernel_iterator_id(const struct kernel *kernel, const char *name);

#endif
