/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch: a head and the store lines behind it, one file in the store (docs/store.md). */
#ifndef STINT_STORE_BATCH_H
#define STINT_STORE_BATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/store/store_line.h"

#define STORE_BATCH_VERSION 1
#define STORE_BATCH_LINES 256
#define STORE_BATCH_HEAD_MAX 4096 /* bytes of a head, its newline included */
#define STORE_BATCH_MAX (STORE_BATCH_LINES * STORE_LINE_MAX + STORE_BATCH_HEAD_MAX)
#define STORE_BATCH_SUFFIX ".ndjson"
#define STORE_BATCH_BOOT 32 /* bytes of a boot's text, its NUL included */
#define STORE_BATCH_NODE 128 /* bytes of the node in a batch's name; a longer one is cut */
#define STORE_BATCH_PLACE 3 /* bytes of a batch's folder below new/, its NUL included */

struct store_batch_head {
	const char *cluster; /* as the record has it; NULL: it has none */
	const char *node;
	const char *boot; /* names the boot, and when the sequence began */
	uint64_t sequence;
	int64_t sealed_unix_ns;
	size_t lines;
	uint64_t dropped; /* lines that this node had to drop in this boot, in all */
};

/* Fills @name with the batch's name, NODE.BOOT.SEQUENCE.ndjson. What a name may not have becomes '_'. */
void store_batch_name(const struct store_batch_head *head, char name[NAME_MAX + 1]);

/* Whether @name can be a batch's: letters, digits, '-', '_' and '.' only, none at its begin, with the suffix. */
bool store_batch_is_name(const char *name);

/* Fills @place with the folder below new/ that the batch @name belongs to: two hexadecimal digits. */
void store_batch_place(const char *name, char place[STORE_BATCH_PLACE]);

/*
 * Returns the head's line, with its newline and a NUL behind it, to be freed; NULL with @err set: memory is short, or
 * it would be too long. @length: gets its bytes
 */
char *store_batch_head_make(const struct store_batch_head *head, size_t *length, struct error *err);

/* Returns how many lines stand behind the head at the begin of @text, by what the head says; 0: it is no head. */
size_t store_batch_head_lines(const char *text, size_t length);

#endif
