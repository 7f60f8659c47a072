/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the name of an image, and the tool that the image belongs to.
 */
#ifndef STINT_IMAGE_H
#define STINT_IMAGE_H

#include "bpf/container.h"
#include "bpf/path.h"
#include "bpf/script.h"

struct image_scratch {
	struct path_scratch path;
	struct script_search search;
	struct tool tool;
	struct process_use use;
};

/* Clears only the first byte of each string, because bytes after a NUL are never read. */
static __always_inline void tool_clear(struct tool *tool)
{
	__builtin_memset(tool, 0, __builtin_offsetof(struct tool, name));
	tool->name[0] = tool->path[0] = tool->script[0] = tool->directory[0] = '\0';
}

/* Looks up "python3.11" as "python". Returns NULL if @name is no interpreter. */
static __noinline struct interpreter *interpreter_get(const char *name)
{
	struct interpreter_key key = {};

	if (!name)
		return NULL;
	for (u32 i = 0; i < sizeof(key.name) - 1; i++) {
		char c = name[i];

		if (!c || c == '.' || (c >= '0' && c <= '9'))
			break;
		key.name[i] = c;
	}
	return bpf_map_lookup_elem(&interpreters, &key);
}

/* Returns true for fexecve() and /proc/self/exe, whose path is not the program's name. */
static __always_inline bool invoked_by_descriptor(const char *kernel_text)
{
	char invoked[9] = "";

	bpf_probe_read_kernel_str(invoked, sizeof(invoked), kernel_text);
	return text_same(invoked, "/dev/fd/", 8) || text_same(invoked, "/proc/", 6);
}

/* Returns NULL if there is no room. Only the first run of a tool needs this. */
static __noinline struct tool *tool_make(struct image_scratch *s, struct tool_key *key, struct file *file,
					 struct fs_struct *fs)
{
	struct share *share;
	struct totals *job;
	struct tool *tool;

	if (!s || !key)
		return NULL;
	job = totals_get(key->job);
	if (!job)
		return NULL;
	share = share_get(job);
	if (job->tools >= (share ? share->tools : ABI_TOOLS_PER_JOB))
		return NULL;
	s->tool.cut |= !path_write(&s->path, BPF_CORE_READ(file, f_path.dentry), BPF_CORE_READ(file, f_path.mnt),
				  s->tool.path);
	if (s->tool.script[0] && s->tool.script[0] != '/' && !s->search.named && s->tool.runtime < TOOL_RUNTIME_OF_IMAGE)
		s->tool.cut |= !path_write(&s->path, BPF_CORE_READ(fs, pwd.dentry), BPF_CORE_READ(fs, pwd.mnt),
					  s->tool.directory);
	s->tool.serial = ADD(job->tools, 1) + 1;
	bpf_map_update_elem(&tools, key, &s->tool, BPF_NOEXIST);
	tool = bpf_map_lookup_elem(&tools, key);
	if (!tool)
		ADD(job->tools, (u64)-1);
	return tool;
}

/* Returns NULL for a job that stintd has forgotten, because nothing would ever remove a new entry. */
static __noinline struct tool *tool_other(struct image_scratch *s, struct tool_key *key)
{
	struct totals *job;
	struct tool *tool;

	if (!s || !key)
		return NULL;
	key->tool = ABI_TOOL_OTHER;
	job = totals_get(key->job);
	if (!job)
		return NULL;
	ADD(job->lost_tools, 1);
	tool = bpf_map_lookup_elem(&tools, key);
	if (tool)
		return tool;
	tool_clear(&s->tool);
	bpf_map_update_elem(&tools, key, &s->tool, BPF_NOEXIST);
	return bpf_map_lookup_elem(&tools, key);
}

/*
 * Begins an image of @p, and finds its tool.
 *
 * @s->tool: name, script and slurm of the image
 * @file: the program file
 */
static __noinline void image_begin(struct image_scratch *s, struct process *p, struct file *file, struct fs_struct *fs)
{
	struct tool_key key = {};
	struct path_tail tail;
	struct tool *tool;
	u64 hash;

	if (!s || !p)
		return;
	hash = hash_mix(BPF_CORE_READ(file, f_inode, i_ino), BPF_CORE_READ(file, f_inode, i_sb, s_dev));
	path_tail(&tail, s->tool.name, false);
	hash = hash_mix(hash, tail.hash);
	path_tail(&tail, s->tool.script, false);
	/* Images of one name in two directories are two images. */
	hash = hash_mix(hash, s->tool.runtime >= TOOL_RUNTIME_OF_IMAGE ? tail.whole : tail.hash);
	/* If Slurm runs the same program for itself, that is another tool. */
	hash = hash_mix(hash, s->tool.slurm);
	s->tool.container = p->container;
	if (p->container)
		hash = hash_mix(hash, container_mark(p));
	key.job = p->job;
	key.tool = hash ? hash : 1;
	tool = bpf_map_lookup_elem(&tools, &key);
	if (!tool)
		tool = tool_make(s, &key, file, fs);
	if (!tool)
		tool = tool_other(s, &key);
	p->tool = key.tool;
	if (!tool)
		return;
	if (p->flags & EVENT_EXECED)
		ADD(tool->runs, 1);
	if (!tool->first_start_ns || p->start_ns < tool->first_start_ns)
		tool->first_start_ns = p->start_ns;
}

#endif
