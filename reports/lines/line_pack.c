/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/lines/line_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "reports/lines/line_split.h"
#include "reports/store/store_line.h"

/*
 * A packed line consists of these parts:
 *
 * - the byte FORM
 * - the size of the bits, and the size of the text's frame, each as two bytes in little-endian order
 * - the bits
 * - the text as a zstd frame
 * - the codes as a zstd frame
 *
 * The frames are stored without the four magic bytes that a zstd frame begins with.
 */
#define FORM 2 /* version of the dictionaries, and of the way in which lines are split */
#define HEAD 5
#define MAGIC 4
#define LEVEL 4 /* zstd's level. With 3, lines are 4 % longer; with 6, packing takes twice the time and saves only 3 % */
#define ROOM ZSTD_COMPRESSBOUND(STORE_LINE_MAX)

/*
 * The dictionaries contain the byte sequences that the texts and codes of most lines have in common, and how often
 * each byte occurs. tests/site/line_words.c made them. The dictionaries must not change, because databases contain
 * lines that were packed with them. Other dictionaries need another FORM.
 */
#include "reports/lines/line_words_2.h"

struct line_packer {
	ZSTD_CCtx *in;
	ZSTD_DCtx *out;
	ZSTD_CDict *in_text, *in_codes;
	ZSTD_DDict *out_text, *out_codes;
	struct line_parts parts;
	unsigned char packed[HEAD + STORE_LINE_MAX + 2 * ROOM];
};

struct line_packer *line_packer_new(void)
{
	struct line_packer *packer = malloc(sizeof(*packer));

	if (!packer)
		return NULL;
	packer->in = ZSTD_createCCtx();
	packer->out = ZSTD_createDCtx();
	packer->in_text = ZSTD_createCDict(text_words, sizeof(text_words), LEVEL);
	packer->in_codes = ZSTD_createCDict(code_words, sizeof(code_words), LEVEL);
	packer->out_text = ZSTD_createDDict(text_words, sizeof(text_words));
	packer->out_codes = ZSTD_createDDict(code_words, sizeof(code_words));
	if (packer->in && packer->out && packer->in_text && packer->in_codes && packer->out_text && packer->out_codes &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->in, ZSTD_c_contentSizeFlag, 0)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->in, ZSTD_c_dictIDFlag, 0)))
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
	ZSTD_freeCDict(packer->in_text);
	ZSTD_freeCDict(packer->in_codes);
	ZSTD_freeDDict(packer->out_text);
	ZSTD_freeDDict(packer->out_codes);
	free(packer);
}

static void put_two(unsigned char *to, size_t number)
{
	to[0] = (unsigned char)number;
	to[1] = (unsigned char)(number >> 8);
}

static size_t get_two(const unsigned char *from)
{
	return from[0] | (size_t)from[1] << 8;
}

/*
 * Compresses @data to a frame at @to, which must have room for ROOM bytes. zstd writes the magic bytes of the
 * frame directly before @to, so put_frame() saves the bytes there and restores them afterwards. Returns the size
 * without the magic bytes; 0 if out of memory.
 */
static size_t put_frame(struct line_packer *packer, const ZSTD_CDict *words, unsigned char *to, const void *data, size_t size)
{
	unsigned char before[MAGIC];
	size_t used;

	memcpy(before, to - MAGIC, MAGIC);
	if (ZSTD_isError(ZSTD_CCtx_refCDict(packer->in, words)))
		return 0;
	used = ZSTD_compress2(packer->in, to - MAGIC, ROOM, data, size);
	memcpy(to - MAGIC, before, MAGIC);
	return ZSTD_isError(used) ? 0 : used - MAGIC;
}

void *line_pack(struct line_packer *packer, const char *text, size_t length, size_t *size)
{
	struct line_parts *parts = &packer->parts;
	unsigned char *end = packer->packed + HEAD;
	size_t text_frame, code_frame;
	void *exact;

	if (!line_split(text, length, parts))
		return NULL;
	memcpy(end, parts->bits, parts->bits_size);
	end += parts->bits_size;
	text_frame = put_frame(packer, packer->in_text, end, parts->text, parts->text_size);
	end += text_frame;
	code_frame = put_frame(packer, packer->in_codes, end, parts->codes, parts->code_size);
	end += code_frame;
	if (!text_frame || !code_frame)
		return NULL;
	packer->packed[0] = FORM;
	put_two(packer->packed + 1, parts->bits_size);
	put_two(packer->packed + 3, text_frame);
	*size = (size_t)(end - packer->packed);
	exact = malloc(*size);
	return exact ? memcpy(exact, packer->packed, *size) : NULL;
}

/*
 * Decompresses the frame of @size bytes at @from into @to. Returns the size of the content in bytes; -1 if the frame
 * is damaged.
 */
static long get_frame(struct line_packer *packer, const ZSTD_DDict *words, const unsigned char *from, size_t size, void *to)
{
	static const unsigned char magic[MAGIC] = { ZSTD_MAGICNUMBER & 0xff, ZSTD_MAGICNUMBER >> 8 & 0xff,
						    ZSTD_MAGICNUMBER >> 16 & 0xff, ZSTD_MAGICNUMBER >> 24 };
	size_t used;

	if (size > ROOM)
		return -1;
	memcpy(packer->packed, magic, MAGIC);
	memcpy(packer->packed + MAGIC, from, size);
	used = ZSTD_decompress_usingDDict(packer->out, to, STORE_LINE_MAX, packer->packed, MAGIC + size, words);
	return ZSTD_isError(used) ? -1 : (long)used;
}

/* Reads the parts of a packed line into packer->parts. Returns false if the line is damaged. */
static bool take_parts(struct line_packer *packer, const unsigned char *packed, size_t size)
{
	struct line_parts *parts = &packer->parts;
	size_t text_frame = get_two(packed + 3), frames = HEAD + get_two(packed + 1);
	long text, codes;

	parts->bits_size = get_two(packed + 1);
	if (parts->bits_size > sizeof(parts->bits) || frames + text_frame > size)
		return false;
	memcpy(parts->bits, packed + HEAD, parts->bits_size);
	text = get_frame(packer, packer->out_text, packed + frames, text_frame, parts->text);
	codes = get_frame(packer, packer->out_codes, packed + frames + text_frame, size - frames - text_frame, parts->codes);
	parts->text_size = (size_t)text;
	parts->code_size = (size_t)codes;
	return text >= 0 && codes >= 0;
}

char *line_unpack(struct line_packer *packer, const void *packed, size_t size, size_t *length, struct error *err)
{
	const unsigned char *bytes = packed;
	char *text;
	long joined;

	if (size < HEAD || bytes[0] != FORM) {
		error_set(err, "the database has a line in a form that this stint does not know");
		return NULL;
	}
	text = malloc(STORE_LINE_MAX + 1);
	if (!text) {
		error_set(err, "out of memory");
		return NULL;
	}
	joined = take_parts(packer, bytes, size) ? line_join(&packer->parts, text) : -1;
	if (joined < 0) {
		free(text);
		error_set(err, "the database has a damaged line: 'stint ingest --rebuild' makes the database again");
		return NULL;
	}
	*length = (size_t)joined;
	text[joined] = '\0';
	return text;
}
