/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates structures of another version of stint into structures of this version, member by member. Finds members by
 * their names in the BTF of both versions. Sets a member to zero if the other version does not have it. Drops a member
 * if this version does not have it.
 */
#ifndef STINT_TRANSLATE_H
#define STINT_TRANSLATE_H

#include <linux/types.h>
#include <stddef.h>

struct btf;
struct translation;

/*
 * Prepares to translate the type @from_id of @from into the type @to_id of @to. Integers may have any width, and arrays
 * and structures may be nested. If two arrays differ in length, translates only the elements that both arrays have.
 * Returns the translation; NULL if out of memory, or if the types are of different kinds.
 */
struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id);
void translation_free(struct translation *t);

/* Return the size in bytes of the type that is translated, and of the type that it is translated to. */
size_t translation_from_bytes(const struct translation *t);
size_t translation_to_bytes(const struct translation *t);

/*
 * Returns the offset in bytes of @name in the structure of this version; -1 if the other version does not have it.
 * @name is a member ("start_ns"), a member of an inner structure ("process.tool"), or an element of an array whose
 * index is an enum ("use.CPU": the name of the enumerator after the '_').
 */
long translation_at(const struct translation *t, const char *name);

/* Translates @from, which has translation_from_bytes() bytes, into @to, which has translation_to_bytes() bytes. */
void translation_run(const struct translation *t, const void *from, void *to);

#endif
