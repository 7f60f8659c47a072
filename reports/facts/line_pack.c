/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/line_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "reports/store/store_line.h"

#define LEVEL 3 /* as fast as 1 with such short lines, and smaller; 6 takes three times as long for 60 bytes a line */
#define FORM 1 /* the first byte: which words they have in common */

/*
 * What most lines have. Databases hold lines that were packed by it, so it must not change: another one is another
 * form.
 */
static const char words[] =
#include "reports/facts/line_words_1.h"
	;

struct line_packer {
	ZSTD_CCtx *in;
	ZSTD_DCtx *out;
	ZSTD_CDict *in_words;
	ZSTD_DDict *out_words;
};

struct line_packer *line_packer_new(void)
{
	struct line_packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	packer->in = ZSTD_createCCtx();
	packer->out = ZSTD_createDCtx();
	packer->in_words = ZSTD_createCDict(words, sizeof(words) - 1, LEVEL);
	packer->out_words = ZSTD_createDDict(words, sizeof(words) - 1);
	if (packer->in && packer->out && packer->in_words && packer->out_words)
		return packer;
	line_packer_free(packer);
	return NULL;
}

void line_packer_free(struct line_packer *packer)
{
	if (!packer)
		return;
	ZSTD_freeCCtx(packer->in);
	ZSTD_freeDCtx(packer->out);
	ZSTD_freeCDict(packer->in_words);
	ZSTD_freeDDict(packer->out_words);
	free(packer);
}

void *line_pack(struct line_packer *packer, const char *text, size_t length, size_t *size)
{
	size_t room = ZSTD_compressBound(length), used;
	unsigned char *packed = malloc(room + 1);
	void *exact;

	if (!packed)
		return NULL;
	packed[0] = FORM;
	used = ZSTD_compress_usingCDict(packer->in, packed + 1, room, text, length, packer->in_words);
	if (ZSTD_isError(used)) {
		free(packed);
		return NULL;
	}
	*size = used + 1;
	exact = realloc(packed, *size);
	return exact ? exact : packed;
}

char *line_unpack(struct line_packer *packer, const void *packed, size_t size, size_t *length, struct error *err)
{
	const unsigned char *bytes = packed;
	char *text;

	if (size < 2 || bytes[0] != FORM) {
		error_set(err, "the database has a line that was packed in a way that this stint does not know");
		return NULL;
	}
	text = malloc(STORE_LINE_MAX + 1);
	if (!text) {
		error_set(err, "out of memory");
		return NULL;
	}
	*length = ZSTD_decompress_usingDDict(packer->out, text, STORE_LINE_MAX, bytes + 1, size - 1, packer->out_words);
	if (ZSTD_isError(*length)) {
		free(text);
		error_set(err, "the database has a line that is damaged: 'stint ingest --rebuild' makes it anew");
		return NULL;
	}
	text[*length] = '\0';
	return text;
}
