/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates structures of another version into this version's, by the members' names in BTF.
 *
 * A member that the other version lacks becomes zero.
 */
#ifndef STINT_TRANSLATE_H
#define STINT_TRANSLATE_H

#include <linux/types.h>
#include <stddef.h>

struct btf;
struct translation;

/*
 * Prepares to translate the type @from_id of @from into the type @to_id of @to.
 * Integers may have any width. If arrays differ in length, translates only the common elements.
 *
 * Returns NULL if out of memory, or if the kinds of types differ.
 */
struct translation *translation_make(const struct btf *from, __u32 from_id, const struct btf *to, __u32 to_id);
void translation_free(struct translation *t);

size_t translation_from_bytes(const struct translation *t);
size_t translation_to_bytes(const struct translation *t);

/*
 * Returns the offset of @name in this version's structure, in bytes; -1 if the other version lacks @name.
 *
 * @name: "start_ns", "process.tool" (an inner member), or "use.CPU" (an element of an array indexed by an enum)
 */
long translation_at(const struct translation *t, const char *name);

/* Translates @from (translation_from_bytes()) into @to (translation_to_bytes()). */
void translation_run(const struct translation *t, const void *from, void *to);

#endif
