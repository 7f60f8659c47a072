/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a process has OpenMP's runtime or BLAS mapped.
 *
 * Follows the dynamic linker's list of libraries (struct r_debug in <link.h>; the same in glibc and musl).
 * The kernel says which file is mapped at a library's address. So a program can lie only about itself.
 * The walk over the list is bounded, and reads no page from disk.
 */
#ifndef STINT_THREAD_RUNTIME_H
#define STINT_THREAD_RUNTIME_H

#include <linux/auxvec.h>
#include <linux/elf.h>

#include "bpf/account.h"
#include "bpf/path.h"

#define AUXILIARY_MAX 24 /* AT_PHDR is among the first ten */
#define HEADERS_MAX 16
#define DYNAMIC_MAX 64
#define LIBRARIES_MAX 1024
#define LIBRARY_NAME_MAX 32

/* True if the kernel has bpf_find_vma(). The collector sets this. */
const volatile bool finds_vma = true;

struct auxiliary {
	u64 type, value;
};

/* The first members of struct link_map of <link.h>. */
struct linked_library {
	u64 offset;
	u64 name;
	u64 dynamic;
	u64 next;
};

struct runtime_search {
	u64 auxiliary;
	/* Program headers; all addresses below are in the process. */
	u64 headers;
	u64 header_bytes;
	u64 header_count;
	u64 base; /* where the program file is loaded */
	u64 dynamic;
	u64 debug;
	u64 library;
	u32 found;
};

static long runtime_auxiliary(u32 index, struct runtime_search *search)
{
	struct auxiliary one = {};

	bpf_probe_read_kernel(&one, sizeof(one), (void *)search->auxiliary + index * sizeof(one));
	if (one.type == AT_PHDR)
		search->headers = one.value;
	else if (one.type == AT_PHENT)
		search->header_bytes = one.value;
	else if (one.type == AT_PHNUM)
		search->header_count = one.value;
	return one.type == AT_NULL || (search->headers && search->header_bytes && search->header_count);
}

/* PT_PHDR comes before the loaded segments, and shows where the program file is loaded. */
static long runtime_header(u32 index, struct runtime_search *search)
{
	Elf64_Phdr one = {};

	if (index >= search->header_count ||
	    bpf_probe_read_user(&one, sizeof(one), (void *)search->headers + index * sizeof(one)) < 0)
		return 1;
	if (index == 0 && one.p_type != PT_PHDR)
		return 1;
	if (one.p_type == PT_PHDR)
		search->base = search->headers - one.p_vaddr;
	if (one.p_type != PT_DYNAMIC)
		return 0;
	search->dynamic = search->base + one.p_vaddr;
	return 1;
}

static long runtime_dynamic(u32 index, struct runtime_search *search)
{
	Elf64_Dyn one = {};

	if (bpf_probe_read_user(&one, sizeof(one), (void *)search->dynamic + index * sizeof(one)) < 0 || one.d_tag == DT_NULL)
		return 1;
	if (one.d_tag != DT_DEBUG)
		return 0;
	search->debug = one.d_un.d_ptr;
	return 1;
}

/*
 * Python wheels have copies of these libraries with longer names (libgomp-a34b3233.so.1.0.0).
 * After "libomp" there must be '.' or '-', because of libompitrace.so of Open MPI.
 */
static __always_inline u32 runtime_of(const char name[LIBRARY_NAME_MAX])
{
	const char *begin = name + 3;

	if (!text_same(name, "lib", 3))
		return 0;
	if (text_same(begin, "gomp", 4) || text_same(begin, "iomp5", 5) || text_same(begin, "nvomp", 5) ||
	    (text_same(begin, "omp", 3) && (begin[3] == '.' || begin[3] == '-')))
		return PROCESS_OPENMP;
	if (text_same(begin, "openblas", 8) || text_same(begin, "scipy_openblas", 14) || text_same(begin, "mkl_rt", 6) ||
	    text_same(begin, "blis", 4))
		return PROCESS_BLAS;
	return 0;
}

static long runtime_file(struct task_struct *task, struct vm_area_struct *vma, struct runtime_search *search)
{
	char name[LIBRARY_NAME_MAX] = "";

	bpf_probe_read_kernel_str(name, sizeof(name), BPF_CORE_READ(vma, vm_file, f_path.dentry, d_name.name));
	search->found |= runtime_of(name);
	return 0;
}

static long runtime_library(u32 index, struct runtime_search *search)
{
	struct linked_library one = {};

	if (bpf_probe_read_user(&one, sizeof(one), (void *)search->library) < 0)
		return 1;
	/* bpf_find_vma() does not wait for the lock. */
	bpf_find_vma(bpf_get_current_task_btf(), one.dynamic, runtime_file, search, 0);
	search->library = one.next;
	return !one.next || search->found == (PROCESS_OPENMP | PROCESS_BLAS);
}

/*
 * Stores in @p whether OpenMP and BLAS are mapped. Call this when the image ends.
 *
 * @mm: of the running thread
 */
static __noinline void runtime_look(struct process *p, struct mm_struct *mm)
{
	struct runtime_search search = {};

	if (!finds_vma || !p || !mm || p->threads_peak < 2 || p->flags & EVENT_SLURM)
		return;
	search.auxiliary = (u64)mm + bpf_core_field_offset(mm->saved_auxv);
	bpf_loop(AUXILIARY_MAX, runtime_auxiliary, &search, 0);
	if (search.header_bytes != sizeof(Elf64_Phdr)) /* a 32-bit program */
		return;
	bpf_loop(HEADERS_MAX, runtime_header, &search, 0);
	if (search.dynamic)
		bpf_loop(DYNAMIC_MAX, runtime_dynamic, &search, 0);
	/* r_map, which follows r_version in struct r_debug. */
	if (!search.debug || bpf_probe_read_user(&search.library, sizeof(u64), (void *)search.debug + sizeof(u64)) < 0)
		return;
	bpf_loop(LIBRARIES_MAX, runtime_library, &search, 0);
	if (search.found)
		__sync_fetch_and_or(&p->flags, search.found);
}

#endif
