/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structures of another version of stint, turned into ours: member by member, by the names that either side's BTF tells.
 * What the other does not have is zero, what we do not have is left out.
 */
#ifndef STINT_TRANSLATE_H
#define STINT_TRANSLATE_H

#include <linux/types.h>
#include <stddef.h>

struct btf;
struct translation;

/*
 * Prepares to turn the type @from_id of @from into the type @to_id of @to. Integers can be of any width; arrays and
 * structures nest; of two arrays of different length, what both have is taken. Returns NULL when memory ran out, or
 * they are not of one kind.
 */
struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id);
void translation_free(struct translation *t);

/* Bytes of one, and of the other. */
size_t translation_from_bytes(const struct translation *t);
size_t translation_to_bytes(const struct translation *t);

/*
 * Where what we call @name begins in ours, in bytes, if the other has it; -1: it does not. A name is a member's ("start_ns"), one of a structure within ("process.tool"), or an
 * element of an array that is indexed by an enum ("use.CPU"; it is the enumerator without what comes before its '_').
 */
long translation_at(const struct translation *t, const char *name);

/* Turns @from, of that many bytes, into @to. */
void translation_run(const struct translation *t, const void *from, void *to);

#endif
