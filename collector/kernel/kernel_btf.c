/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/kernel_btf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_BYTES 128

int kernel_open(struct kernel *kernel, struct error *err)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->btf = btf__load_vmlinux_btf();
	if (!kernel->btf)
		return error_set(err, "the kernel has no BTF (/sys/kernel/btf/vmlinux; CONFIG_DEBUG_INFO_BTF)");
	/* Do not load the module fuse: the node may never use FUSE. */
	if (access("/sys/kernel/btf/fuse", R_OK) == 0)
		kernel->fuse = btf__load_module_btf("fuse", kernel->btf);
	return 0;
}

void kernel_close(struct kernel *kernel)
{
	btf__free(kernel->fuse);
	btf__free(kernel->btf);
	kernel->fuse = kernel->btf = NULL;
}

static int find_id(const struct btf *btf, const char *prefix, const char *name, __u32 kind)
{
	char whole[NAME_MAX_BYTES];
	int id;

	snprintf(whole, sizeof(whole), "%s%s", prefix, name);
	id = btf__find_by_name_kind(btf, whole, kind);
	return id > 0 ? id : 0;
}

unsigned int kernel_tracepoint_id(const struct kernel *kernel, const char *name)
{
	return find_id(kernel->btf, "btf_trace_", name, BTF_KIND_TYPEDEF);
}

unsigned int kernel_iterator_id(const struct kernel *kernel, const char *name)
{
	return find_id(kernel->btf, "bpf_iter_", name, BTF_KIND_FUNC);
}

/* Returns NULL if there is no such tracepoint. The first argument is for the kernel itself. */
static const struct btf_type *tracepoint_of(const struct btf *btf, const char *name)
{
	int id = find_id(btf, "btf_trace_", name, BTF_KIND_TYPEDEF);
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;

	type = type ? btf__type_by_id(btf, type->type) : NULL; /* pointer */
	type = type ? btf__type_by_id(btf, type->type) : NULL; /* function */
	return type && btf_is_func_proto(type) ? type : NULL;
}

bool kernel_has_tracepoint(const struct kernel *kernel, const char *name)
{
	return tracepoint_of(kernel->btf, name) || (kernel->fuse && tracepoint_of(kernel->fuse, name));
}

int kernel_arguments_of(const struct kernel *kernel, const char *name)
{
	const struct btf_type *type = tracepoint_of(kernel->btf, name);

	return type ? btf_vlen(type) - 1 : 0;
}

bool kernel_has_function(const struct kernel *kernel, const char *name)
{
	return kernel_function_id(kernel, name) != 0;
}

unsigned int kernel_function_id(const struct kernel *kernel, const char *name)
{
	return find_id(kernel->btf, "", name, BTF_KIND_FUNC);
}

/* With CONFIG_RANDSTRUCT, most members are in a member without a name. */
static bool has_member(const struct btf *btf, const struct btf_type *type, const char *name)
{
	for (int i = 0; type && btf_is_composite(type) && i < btf_vlen(type); i++) {
		const char *member = btf__name_by_offset(btf, btf_members(type)[i].name_off);

		if (strcmp(member, name) == 0 ||
		    (!*member && has_member(btf, btf__type_by_id(btf, btf_members(type)[i].type), name)))
			return true;
	}
	return false;
}

bool kernel_has_member(const struct kernel *kernel, const char *type, const char *name)
{
	int id = find_id(kernel->btf, "", type, BTF_KIND_STRUCT);

	return id && has_member(kernel->btf, btf__type_by_id(kernel->btf, id), name);
}

/* The kernel provides bpf_fentry_test1() for trials. */
static bool try_functions(const struct btf *btf)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K }, /* r0 = 0 */
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FEXIT);
	int function = btf__find_by_name_kind(btf, "bpf_fentry_test1", BTF_KIND_FUNC), program, link = -1;

	if (function < 0)
		return true; /* not known */
	options.attach_btf_id = function;
	program = bpf_prog_load(BPF_PROG_TYPE_TRACING, "stint_trial", "GPL", nothing, 2, &options);
	if (program < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, program);
	close(program);
	if (link >= 0)
		close(link);
	return link >= 0;
}

bool kernel_functions_attach(struct kernel *kernel)
{
	if (!kernel->functions_tried)
		kernel->functions = try_functions(kernel->btf);
	kernel->functions_tried = true;
	return kernel->functions;
}

bool kernel_victim_is_a_pid(const struct kernel *kernel)
{
	const struct btf_type *type = tracepoint_of(kernel->btf, "mark_victim");

	type = type && btf_vlen(type) > 1 ? btf__type_by_id(kernel->btf, btf_params(type)[1].type) : NULL;
	return type && btf_is_int(type);
}

bool kernel_requests_hold_results(const struct kernel *kernel)
{
	return kernel_has_member(kernel, "io_kiocb", "cqe");
}
