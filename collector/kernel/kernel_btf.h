/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel supports, by its own BTF and by trying. */
#ifndef STINT_KERNEL_BTF_H
#define STINT_KERNEL_BTF_H

#include <stdbool.h>

#include "common/error.h"

struct btf;

struct kernel {
	struct btf *btf;
	struct btf *fuse; /* of the module of this name; NULL: not loaded */
	bool functions_tried;
	bool functions; /* programs can be attached to kernel functions */
};

/* Reads the kernel's BTF. Returns 0; -1 with @err set if it has none. kernel_close() frees it, also after an error. */
int kernel_open(struct kernel *kernel, struct error *err);
void kernel_close(struct kernel *kernel);

bool kernel_has_tracepoint(const struct kernel *kernel, const char *name);

/* How many arguments a tracepoint has for a program; 0: there is no such tracepoint. */
int kernel_arguments_of(const struct kernel *kernel, const char *name);

bool kernel_has_function(const struct kernel *kernel, const char *name);

/* The number of a function in the kernel's BTF; 0: there is none. */
unsigned int kernel_function_id(const struct kernel *kernel, const char *name);

/* Whether the structure @type has the member @name. */
bool kernel_has_member(const struct kernel *kernel, const char *type, const char *name);

/* Whether programs can be attached to functions (fentry, fexit). The first call tries it. */
bool kernel_functions_attach(struct kernel *kernel);

/* The first argument of mark_victim was the victim's pid in older kernels; in newer ones it is the victim. */
bool kernel_victim_is_a_pid(const struct kernel *kernel);

/* Whether a request to io_uring holds its own result (since 5.19). The tracepoint's arguments alone are not enough. */
bool kernel_requests_hold_results(const struct kernel *kernel);

/* The number by which the kernel knows the attachment point of a program: the tracepoint @name; 0: there is none. */
unsigned int kernel_tracepoint_id(const struct kernel *kernel, const char *name);

/* The same for a program that walks, such as "task" or "bpf_map". */
unsigned int kernel_iterator_id(const struct kernel *kernel, const char *name);

#endif
