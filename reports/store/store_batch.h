/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch is a file with a head and store lines (docs/store.md). */
#ifndef STINT_STORE_BATCH_H
#define STINT_STORE_BATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/spool/waiting.h"
#include "reports/store/store_line.h"

#define STORE_BATCH_VERSION 1
#define STORE_BATCH_LINES 256
#define STORE_BATCH_HEAD_MAX 4096 /* maximum bytes of a head, including its newline */
#define STORE_BATCH_MAX (STORE_BATCH_LINES * STORE_LINE_MAX + STORE_BATCH_HEAD_MAX)
#define STORE_BATCH_BOOT 32 /* maximum bytes of a boot's text, including its NUL */
#define STORE_BATCH_NODE 128 /* maximum bytes of the node's name in a batch's name, including its NUL; a longer name is cut */
#define STORE_BATCH_PLACE 3 /* bytes of the name of a batch's folder below new/, including its NUL */

struct store_batch_head {
	const char *cluster; /* as in the record; NULL if the record has no cluster */
	const char *node;
	const char *boot; /* text for the boot, and for the time when the sequence began */
	uint64_t sequence;
	int64_t sealed_unix_ns;
	size_t lines;
	uint64_t dropped; /* how many lines this node has dropped in this boot */
};

/* Fills @name with NODE.BOOT.SEQUENCE.ndjson. Other characters become '_'. */
void store_batch_name(const struct store_batch_head *head, char name[NAME_MAX + 1]);

/*
 * Returns whether @name looks like a batch's name: letters, digits, '-', '_' and '.', the suffix, and no '.' at its
 * begin.
 */
bool store_batch_is_name(const char *name);

/* Fills @place with the folder below new/ for the batch: two hexadecimal digits. */
void store_batch_place(const char *name, char place[STORE_BATCH_PLACE]);

/*
 * Returns the head as a line, which the caller must free; NULL with @err set if out of memory, or if it would be too
 * long.
 *
 * @length: set to the number of bytes without the NUL
 */
char *store_batch_head_make(const struct store_batch_head *head, size_t *length, struct error *err);

/* Returns how many lines the head of @text announces; 0 if there is no head. */
size_t store_batch_head_lines(const char *text, size_t length);

#endif
