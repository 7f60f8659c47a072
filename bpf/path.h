/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads paths and names from the kernel's own structures. */
#ifndef STINT_PATH_H
#define STINT_PATH_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

/* Programs cannot call memcmp(). */
static __always_inline bool text_same(const char *text, const char *word, u32 size)
{
	for (u32 i = 0; i < size; i++)
		if (text[i] != word[i])
			return false;
	return true;
}

#define PATH_PARTS_MAX 40
#define PATH_PART_MAX 256
#define PATH_LENGTH_MAX 4096 /* the kernel's PATH_MAX */

struct path_scratch {
	const unsigned char *parts[PATH_PARTS_MAX];
	/* Longer than the result, so that a whole part fits at each offset within the result. */
	char text[ABI_PATH_MAX + PATH_PART_MAX];
};

struct path_walk {
	struct path_scratch *scratch;
	struct dentry *dentry;
	struct mount *mount;
	u32 parts;
	bool whole;
};

static long path_step_up(u32 index, struct path_walk *walk)
{
	struct mount *mount = walk->mount;
	struct dentry *dentry = walk->dentry;
	struct dentry *root = BPF_CORE_READ(mount, mnt.mnt_root);
	struct dentry *parent = BPF_CORE_READ(dentry, d_parent);
	u32 n = walk->parts;

	if (dentry == root) {
		walk->mount = BPF_CORE_READ(mount, mnt_parent);
		walk->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
		walk->whole = walk->mount == mount;
		return walk->whole;
	}
	if (n >= PATH_PARTS_MAX)
		return 1;
	walk->scratch->parts[n] = BPF_CORE_READ(dentry, d_name.name);
	walk->parts = n + 1;
	walk->dentry = parent;
	walk->whole = dentry == parent;
	return walk->whole;
}

struct path_text {
	struct path_scratch *scratch;
	u32 left;
	u32 used;
	bool cut;
};

static long path_step_down(u32 index, struct path_text *text)
{
	u32 used = text->used;
	u32 part = text->left - 1;
	long length;

	/* Also true if no parts are left: 0 - 1 is a very large unsigned number. */
	if (part >= PATH_PARTS_MAX)
		return 1;
	if (used >= ABI_PATH_MAX - 1) {
		text->cut = true;
		return 1;
	}
	text->scratch->text[used] = '/';
	length = bpf_probe_read_kernel_str(&text->scratch->text[used + 1], PATH_PART_MAX,
					   text->scratch->parts[part]);
	if (length <= 0) {
		text->cut = true;
		return 1;
	}
	text->used = used + length;
	text->left = part;
	return 0;
}

/*
 * Writes the path of @dentry, as the mount's namespace shows it. The kernel does not let programs call d_path() here.
 *
 * @to: ABI_PATH_MAX bytes
 *
 * Returns true if the path is complete.
 */
static __noinline bool path_write(struct path_scratch *s, struct dentry *dentry, struct vfsmount *vfsmount, char *to)
{
	struct path_walk walk = {
		.scratch = s,
		.dentry = dentry,
		.mount = (void *)vfsmount - bpf_core_field_offset(struct mount, mnt),
	};
	struct path_text text = { .scratch = s };

	if (!s || !to)
		return false;
	bpf_loop(2 * PATH_PARTS_MAX, path_step_up, &walk, 0);
	if (!walk.whole)
		return false;
	s->text[0] = '/';
	s->text[1] = '\0';
	text.left = walk.parts;
	bpf_loop(PATH_PARTS_MAX, path_step_down, &text, 0);
	return bpf_probe_read_kernel_str(to, ABI_PATH_MAX, s->text) < ABI_PATH_MAX && !text.cut;
}

#define HASH_START 0xcbf29ce484222325ull /* FNV-1a */
#define HASH_PRIME 0x100000001b3ull

struct path_tail {
	const char *text;
	bool user;
	u32 start;
	u64 hash;  /* of what follows the last slash */
	u64 whole; /* of all */
};

#define PATH_PIECE 31

static long path_tail_piece(u32 index, struct path_tail *tail)
{
	const char *from = tail->text + index * PATH_PIECE;
	char piece[PATH_PIECE + 1];
	long length;

	if (tail->user)
		length = bpf_probe_read_user_str(piece, sizeof(piece), from);
	else
		length = bpf_probe_read_kernel_str(piece, sizeof(piece), from);
	if (length <= 1)
		return 1;
	for (u32 i = 0; i < PATH_PIECE; i++) {
		char c = piece[i];

		if (!c)
			return 1;
		tail->hash = (tail->hash ^ (u8)c) * HASH_PRIME;
		tail->whole = (tail->whole ^ (u8)c) * HASH_PRIME;
		if (c == '/') {
			tail->start = index * PATH_PIECE + i + 1;
			tail->hash = HASH_START;
		}
	}
	return 0;
}

static __always_inline void path_tail(struct path_tail *tail, const char *text, bool user)
{
	tail->text = text;
	tail->user = user;
	tail->start = 0;
	tail->hash = tail->whole = HASH_START;
	bpf_loop(PATH_LENGTH_MAX / PATH_PIECE + 1, path_tail_piece, tail, 0);
}

#endif
