/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds if a process has a library mapped that starts as many threads as OMP_NUM_THREADS says: the runtime of OpenMP,
 * or BLAS.
 *
 * The dynamic linker keeps a list of the libraries that it has loaded, for debuggers: struct r_debug of <link.h>, which
 * is the same in glibc and musl. The list has an address of each library, and the kernel knows which file is mapped at
 * that address. So a program can only give wrong information about itself. Whatever a program writes into the list, the
 * walk over the list is bounded, waits for nothing and reads no page from disk. An entry that cannot be read counts as
 * no such library.
 */
#ifndef STINT_THREAD_RUNTIME_H
#define STINT_THREAD_RUNTIME_H

#include <linux/auxvec.h>
#include <linux/elf.h>

#include "bpf/account.h"
#include "bpf/path.h"

#define AUXILIARY_MAX 24 /* the most entries of the auxiliary vector that are read; AT_PHDR is among the first ten */
#define HEADERS_MAX 16   /* program headers */
#define DYNAMIC_MAX 64   /* the most entries of a program's dynamic section that are read */
#define LIBRARIES_MAX 1024
#define LIBRARY_NAME_MAX 32

/* True if the kernel has bpf_find_vma(). The collector sets this before it loads the programs. */
const volatile bool finds_vma = true;

struct auxiliary {
	u64 type, value;
};

/* The first members of struct link_map of <link.h>. */
struct linked_library {
	u64 offset;
	u64 name;
	u64 dynamic; /* address at which the library's dynamic section is mapped */
	u64 next;
};

struct runtime_search {
	u64 auxiliary; /* address of the kernel's copy of the auxiliary vector */
	/*
	 * Address of the program headers of the program file; this and all members below are addresses in the process.
	 */
	u64 headers;
	u64 header_bytes;
	u64 header_count;
	u64 base; /* address at which the program file is loaded, which must be added to the addresses in the file */
	u64 dynamic;
	u64 debug; /* struct r_debug */
	u64 library; /* address of the next entry of the list */
	u32 found; /* PROCESS_OPENMP, PROCESS_BLAS */
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

/*
 * Reads one program header. The header PT_PHDR, which describes the headers themselves, comes before those of all
 * loaded segments. It shows to which address the program file was moved.
 */
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
 * Returns the kind of runtime that the file @name is. The file may be the copy in a Python wheel
 * (libgomp-a34b3233.so.1.0.0, libscipy_openblas64_-6bb31eeb.so). After "libomp", a '.' or a '-' must follow, because
 * the names of other libraries begin in the same way (libompitrace.so of Open MPI).
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
	/*
	 * bpf_find_vma() does not wait for the lock of the address space. It finds nothing if another thread or process
	 * is changing the address space.
	 */
	bpf_find_vma(bpf_get_current_task_btf(), one.dynamic, runtime_file, search, 0);
	search->library = one.next;
	return !one.next || search->found == (PROCESS_OPENMP | PROCESS_BLAS);
}

/*
 * Stores in the flags of @p which runtimes the process has mapped. @mm is the address space of the current thread,
 * which belongs to that process. Call this when the image of the process ends. Skips a process that never had a second
 * thread (most processes are like that), because the runtime does not matter for such a process.
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
	/* Read r_map, the member of struct r_debug after r_version. */
	if (!search.debug || bpf_probe_read_user(&search.library, sizeof(u64), (void *)search.debug + sizeof(u64)) < 0)
		return;
	bpf_loop(LIBRARIES_MAX, runtime_library, &search, 0);
	if (search.found)
		__sync_fetch_and_or(&p->flags, search.found);
}

#endif
