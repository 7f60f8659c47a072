/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates structures of another version of stint into ours, member by member. Finds members by their names in the
 * BTF of both versions. If the other version lacks a member, it becomes zero. If we lack a member, it is dropped.
 */
#ifndef STINT_TRANSLATE_H
#define STINT_TRANSLATE_H

#include <linux/types.h>
#include <stddef.h>

struct btf;
struct translation;

/*
 * Prepares to translate the type @from_id of @from into the type @to_id of @to. Integers may have any width, and arrays
 * and structures may be nested. If two arrays differ in length, only the elements that both have are translated.
 * Returns the translation; NULL if out of memory, or if the types are of different kinds.
 */
struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id);
void translation_free(struct translation *t);

/* Return the size in bytes of the type to translate from, and of the type to translate to. */
size_t translation_from_bytes(const struct translation *t);
size_t translation_to_bytes(const struct translation *t);

/*
 * Returns the offset of @name in our structure, in bytes; -1 if the other version lacks it. @name is a member
 * ("start_ns"), a member of an inner structure ("process.tool"), or an element of an array with an enum as index
 * ("use.CPU": the name of the enumerator after the '_').
 */
long translation_at(const struct translation *t, const char *name);

/* Translates @from, with translation_from_bytes() bytes, into @to, with translation_to_bytes() bytes. */
void translation_run(const struct translation *t, const void *from, void *to);

#endif
