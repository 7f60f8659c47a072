/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates structures of another version of stint into ours: member by member, by their names in the BTF of both
 * sides. A member that the other side lacks is zero; one that we lack is left out.
 */
#ifndef STINT_TRANSLATE_H
#define STINT_TRANSLATE_H

#include <linux/types.h>
#include <stddef.h>

struct btf;
struct translation;

/*
 * Prepares to translate the type @from_id of @from into the type @to_id of @to. Integers may have any width; arrays and
 * structures may nest; if two arrays differ in length, the elements that both have are translated. Returns NULL if
 * memory ran out, or the types are not of one kind.
 */
struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id);
void translation_free(struct translation *t);

/* The size of the type to translate from, and of the type to translate to, in bytes. */
size_t translation_from_bytes(const struct translation *t);
size_t translation_to_bytes(const struct translation *t);

/*
 * Returns where @name begins in our structure, in bytes, if the other side also has it; otherwise -1. @name is the name
 * of a member ("start_ns"), of a member of an inner structure ("process.tool"), or of an element of an array that an
 * enum indexes ("use.CPU": the enumerator without its prefix up to the '_').
 */
long translation_at(const struct translation *t, const char *name);

/* Translates @from, of translation_from_bytes(), into @to, of translation_to_bytes(). */
void translation_run(const struct translation *t, const void *from, void *to);

#endif
