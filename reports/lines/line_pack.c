/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/lines/line_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "reports/lines/line_split.h"
#include "reports/store/store_line.h"

/*
 * A pack of lines. Numbers have seven bits in a byte, the lowest bits first. The eighth bit is set in all bytes of a
 * number except the last.
 *
 * - the byte FORM
 * - the sizes of the bits, the texts, the codes, and the frame of the texts
 * - the bits of all lines
 * - the texts of all lines as a zstd frame
 * - a zstd frame with the number of lines, a head for each line, and the codes of all lines
 *
 * A head has the difference between the line's owner (job) and the owner of the line before, and the sizes of the
 * line's parts. Frames are stored without the four magic bytes at their begin.
 */
#define FORM 3 /* version of the dictionaries, and of the way in which lines are split and packed */
#define MAGIC 4
#define LEVEL 3 /* zstd's level. With 4, packs are 2 % shorter, and packing takes twice the time */
#define NUMBER_BYTES 10 /* at most */
#define SIZES 4
#define HEAD_NUMBERS 6 /* of a line */
#define BYTES_MAX (UINT32_C(1) << 30) /* limit for the texts and for the codes; a pack with more is damaged */

/*
 * Dictionaries: what most texts and codes have in common, and how often each byte occurs. tests/site/line_words.c made
 * them. Databases depend on them, so new dictionaries need a new FORM.
 */
#include "reports/lines/line_words_2.h"

struct line_packer {
	ZSTD_CCtx *in;
	ZSTD_DCtx *out;
	ZSTD_CDict *in_text, *in_codes;
	ZSTD_DDict *out_text, *out_codes;
	struct line_parts parts;
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

/* ---- splitting ---- */

struct line_split *line_pack_split(struct line_packer *packer, const char *text, size_t length)
{
	const struct line_parts *parts = &packer->parts;
	struct line_split *split;

	if (!line_split(text, length, &packer->parts))
		return NULL;
	split = malloc(sizeof(*split) + parts->text_size + parts->code_size + parts->bits_size);
	if (!split)
		return NULL;
	*split = (struct line_split){ parts->text_size, parts->code_size, parts->bits_size };
	memcpy(split->bytes, parts->text, parts->text_size);
	memcpy(split->bytes + parts->text_size, parts->codes, parts->code_size);
	memcpy(split->bytes + parts->text_size + parts->code_size, parts->bits, parts->bits_size);
	return split;
}

/* ---- packing ---- */

static unsigned char *put_number(unsigned char *to, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = (unsigned char)(number | 0x80);
	*to++ = (unsigned char)number;
	return to;
}

/* Writes a difference, which may be negative. */
static unsigned char *put_step(unsigned char *to, int64_t number, int64_t before)
{
	uint64_t step = (uint64_t)number - (uint64_t)before;

	return put_number(to, step << 1 ^ (step >> 63 ? UINT64_MAX : 0));
}

static unsigned char *put_bytes(unsigned char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Writes the heads of all lines. */
static unsigned char *put_heads(unsigned char *to, const struct line_of *lines, size_t count)
{
	struct line_owner before = { 0 };

	to = put_number(to, count);
	for (size_t i = 0; i < count; i++) {
		const struct line_owner *owner = &lines[i].owner;
		const struct line_split *split = lines[i].split;

		to = put_step(to, owner->job_id, before.job_id);
		to = put_step(to, owner->attempt, before.attempt);
		to = put_step(to, owner->submit, before.submit);
		to = put_number(to, split->text_size);
		to = put_number(to, split->code_size);
		to = put_number(to, split->bits_size);
		before = *owner;
	}
	return to;
}

/*
 * Compresses @data to @to, which has ZSTD_compressBound() bytes. Returns the size without the magic bytes; 0 if out of
 * memory.
 */
static size_t put_frame(struct line_packer *packer, const ZSTD_CDict *words, unsigned char *to, const void *data, size_t size)
{
	size_t used;

	if (ZSTD_isError(ZSTD_CCtx_refCDict(packer->in, words)))
		return 0;
	used = ZSTD_compress2(packer->in, to, ZSTD_compressBound(size), data, size);
	if (ZSTD_isError(used))
		return 0;
	memmove(to, to + MAGIC, used - MAGIC);
	return used - MAGIC;
}

/* The parts of all lines: the texts, the codes and the bits, each joined in the order of lines. */
struct all_parts {
	unsigned char *texts, *codes, *bits;
	size_t text_size, code_size, bits_size;
};

static void put_parts(struct all_parts *all, const struct line_of *lines, size_t count)
{
	unsigned char *text = all->texts, *code = put_heads(all->codes, lines, count), *bits = all->bits;

	for (size_t i = 0; i < count; i++) {
		const struct line_split *split = lines[i].split;

		text = put_bytes(text, split->bytes, split->text_size);
		code = put_bytes(code, split->bytes + split->text_size, split->code_size);
		bits = put_bytes(bits, split->bytes + split->text_size + split->code_size, split->bits_size);
	}
	all->code_size = (size_t)(code - all->codes);
}

/* @packed has room for all parts. Returns the size; 0 if out of memory. */
static size_t pack_parts(struct line_packer *packer, const struct all_parts *all, unsigned char *packed)
{
	unsigned char sizes[SIZES * NUMBER_BYTES], *end = sizes;
	unsigned char *frames = packed + 1 + sizeof(sizes) + all->bits_size, *to = packed;
	size_t text_frame = put_frame(packer, packer->in_text, frames, all->texts, all->text_size);
	size_t code_frame = put_frame(packer, packer->in_codes, frames + text_frame, all->codes, all->code_size);

	if (!text_frame || !code_frame)
		return 0;
	end = put_number(end, all->bits_size);
	end = put_number(end, all->text_size);
	end = put_number(end, all->code_size);
	end = put_number(end, text_frame);
	*to++ = FORM;
	to = put_bytes(to, sizes, (size_t)(end - sizes));
	to = put_bytes(to, all->bits, all->bits_size);
	memmove(to, frames, text_frame + code_frame);
	return (size_t)(to - packed) + text_frame + code_frame;
}

void *lines_pack(struct line_packer *packer, const struct line_of *lines, size_t count, size_t *size)
{
	size_t heads = NUMBER_BYTES * (1 + HEAD_NUMBERS * count), room;
	struct all_parts all = { 0 };
	unsigned char *work, *packed, *exact;

	for (size_t i = 0; i < count; i++) {
		all.text_size += lines[i].split->text_size;
		all.code_size += lines[i].split->code_size;
		all.bits_size += lines[i].split->bits_size;
	}
	room = 1 + SIZES * NUMBER_BYTES + all.bits_size + ZSTD_compressBound(all.text_size) + ZSTD_compressBound(heads + all.code_size);
	work = malloc(all.text_size + heads + all.code_size + all.bits_size + room);
	if (!work)
		return NULL;
	all.texts = work;
	all.bits = all.texts + all.text_size;
	all.codes = all.bits + all.bits_size;
	packed = all.codes + heads + all.code_size;
	put_parts(&all, lines, count);
	*size = pack_parts(packer, &all, packed);
	exact = *size ? malloc(*size) : NULL;
	if (exact)
		memcpy(exact, packed, *size);
	free(work);
	return exact;
}

/* ---- unpacking ---- */

struct reading {
	const unsigned char *at, *end;
	bool bad;
};

static uint64_t get_number(struct reading *from)
{
	uint64_t number = 0;

	for (unsigned int shift = 0; from->at < from->end && shift < 64; shift += 7) {
		unsigned char byte = *from->at++;

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	from->bad = true;
	return 0;
}

static int64_t get_step(struct reading *from, int64_t before)
{
	uint64_t number = get_number(from);

	return (int64_t)((uint64_t)before + (number >> 1 ^ -(number & 1)));
}

/* Returns the next @size bytes; NULL if there are fewer bytes. */
static const unsigned char *get_bytes(struct reading *from, uint64_t size)
{
	const unsigned char *bytes = from->at;

	if (from->bad || size > (uint64_t)(from->end - from->at)) {
		from->bad = true;
		return NULL;
	}
	from->at += size;
	return bytes;
}

/*
 * Returns the @size bytes that the frame contains; the caller must free them. Returns NULL if the frame is damaged, or
 * if out of memory.
 */
static unsigned char *get_frame(struct line_packer *packer, const ZSTD_DDict *words, struct reading from, size_t size)
{
	static const unsigned char magic[MAGIC] = { ZSTD_MAGICNUMBER & 0xff, ZSTD_MAGICNUMBER >> 8 & 0xff,
						    ZSTD_MAGICNUMBER >> 16 & 0xff, ZSTD_MAGICNUMBER >> 24 };
	size_t packed = (size_t)(from.end - from.at);
	unsigned char *to = malloc(size + 1), *frame = malloc(MAGIC + packed);
	bool good = to && frame;

	if (good) {
		memcpy(frame, magic, MAGIC);
		memcpy(frame + MAGIC, from.at, packed);
		good = ZSTD_decompress_usingDDict(packer->out, to, size, frame, MAGIC + packed, words) == size;
	}
	errno = to && frame ? EINVAL : ENOMEM;
	free(frame);
	if (good)
		return to;
	free(to);
	return NULL;
}

/* A pack whose codes are decompressed. */
struct pack {
	struct reading bits, texts; /* texts: the frame */
	size_t text_size;
	unsigned char *codes;
	size_t code_size;
	size_t count;
	struct reading heads;
};

static bool open_pack(struct line_packer *packer, const void *packed, size_t size, struct pack *pack)
{
	struct reading from = { (const unsigned char *)packed + 1, (const unsigned char *)packed + size, false };
	uint64_t bits = get_number(&from), texts = get_number(&from), codes = get_number(&from), frame = get_number(&from);

	*pack = (struct pack){ 0 };
	if (from.bad || texts > BYTES_MAX || codes > BYTES_MAX)
		return false;
	pack->bits.at = get_bytes(&from, bits);
	pack->bits.end = from.at;
	pack->texts.at = get_bytes(&from, frame);
	pack->texts.end = from.at;
	if (from.bad)
		return false;
	pack->text_size = texts;
	pack->code_size = codes;
	pack->codes = get_frame(packer, packer->out_codes, from, codes);
	if (!pack->codes)
		return false;
	pack->heads = (struct reading){ pack->codes, pack->codes + codes, false };
	pack->count = get_number(&pack->heads);
	return !pack->heads.bad;
}

/* The head of a line. */
struct head {
	struct line_owner owner;
	uint64_t text, code, bits;
};

static bool get_head(struct reading *from, struct head *head)
{
	head->owner.job_id = get_step(from, head->owner.job_id);
	head->owner.attempt = get_step(from, head->owner.attempt);
	head->owner.submit = get_step(from, head->owner.submit);
	head->text = get_number(from);
	head->code = get_number(from);
	head->bits = get_number(from);
	return !from->bad && head->text <= STORE_LINE_MAX && head->code <= STORE_LINE_MAX && head->bits <= STORE_LINE_MAX;
}

/* Moves @at to the end of the heads. Returns false if the heads are damaged. */
static bool pass_heads(const struct pack *pack, struct reading *at, lines_wanted *wanted, void *context, bool *any)
{
	struct head head = { 0 };

	*any = !wanted;
	*at = pack->heads;
	for (size_t i = 0; i < pack->count; i++) {
		if (!get_head(at, &head))
			return false;
		*any = *any || wanted(context, &head.owner);
	}
	return true;
}

/* Takes the parts of the next line. Returns the line's length; -1 if the line is damaged. */
static long join_next(struct line_packer *packer, const struct head *head, struct reading from[3], char *line)
{
	struct line_parts *parts = &packer->parts;
	const unsigned char *text = get_bytes(&from[0], head->text), *codes = get_bytes(&from[1], head->code);
	const unsigned char *bits = get_bytes(&from[2], head->bits);

	if (!text || !codes || !bits)
		return -1;
	parts->text_size = head->text;
	parts->code_size = head->code;
	parts->bits_size = head->bits;
	memcpy(parts->text, text, head->text);
	memcpy(parts->codes, codes, head->code);
	memcpy(parts->bits, bits, head->bits);
	return line_join(parts, line);
}

static int damaged(struct error *err)
{
	return error_set(err, "the database has a damaged line: 'stint ingest --rebuild' makes the database again");
}

/* For a pack that could not be opened: malloc() sets errno. */
static int not_opened(struct error *err)
{
	return errno == ENOMEM ? error_set(err, "out of memory") : damaged(err);
}

static int each_line(struct line_packer *packer, const struct pack *pack, struct reading codes, const struct lines_reading *reading,
		     struct error *err)
{
	unsigned char *texts = get_frame(packer, packer->out_text, pack->texts, pack->text_size);
	struct reading heads = pack->heads, from[3] = { { texts, texts ? texts + pack->text_size : NULL, false }, codes, pack->bits };
	struct head head = { 0 };
	char *line = malloc(STORE_LINE_MAX + 1);
	int result = texts && line ? 0 : not_opened(err);

	for (size_t i = 0; result == 0 && i < pack->count; i++) {
		long length = get_head(&heads, &head) ? join_next(packer, &head, from, line) : -1;

		if (length < 0) {
			result = damaged(err);
			break;
		}
		line[length] = '\0';
		result = reading->each(reading->context, &head.owner, line, (size_t)length, err);
	}
	free(line);
	free(texts);
	return result;
}

int lines_unpack(struct line_packer *packer, const void *packed, size_t size, const struct lines_reading *reading,
		 struct error *err)
{
	struct reading codes;
	struct pack pack;
	int result;
	bool any;

	if (size < 1 || *(const unsigned char *)packed != FORM)
		return error_set(err, "the database has a line in a form that this stint does not know");
	errno = 0;
	if (!open_pack(packer, packed, size, &pack) || !pass_heads(&pack, &codes, reading->wanted, reading->context, &any))
		result = not_opened(err);
	else
		result = any ? each_line(packer, &pack, codes, reading, err) : 0;
	free(pack.codes);
	return result;
}
