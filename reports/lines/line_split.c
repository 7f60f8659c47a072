/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/lines/line_split.h"

#include <endian.h>
#include <string.h>

/* Databases contain lines that this code split. If you change how it splits lines, increase FORM (line_pack.c). */

#define MARK 1 /* JSON never contains this byte, but a line that contains it can still be split and joined */
#define DIGITS_MIN 4 /* only a number with at least this many digits becomes a mark */
#define DIGITS_MAX 19
#define ZEROS_MAX 11  /* only this many trailing zeros are counted instead of stored */
#define NEAR_DIGITS 7 /* only a number with at least this many digits can become a difference */
#define NEAR_SAVES 3  /* a number becomes a difference only if the difference is shorter by at least this many digits */

/*
 * The code of a mark. A code below CODE_RECENT is ZEROS * DIGITS_MAX + DIGITS - 1: the number of trailing zeros, and
 * the number of other digits, which are in the bits.
 */
enum {
	/* the same number as a recent number; the next code says how many numbers came between the two */
	CODE_RECENT = (ZEROS_MAX + 1) * DIGITS_MAX,
	/*
	 * CODE_MORE or CODE_LESS + DIGITS - NEAR_DIGITS: the number is larger or smaller than the last number with the
	 * same count of digits. The next code and its bits are the difference
	 */
	CODE_MORE,
	CODE_LESS = CODE_MORE + DIGITS_MAX - NEAR_DIGITS + 1,
	CODE_BYTE = CODE_LESS + DIGITS_MAX - NEAR_DIGITS + 1 /* the byte MARK itself */
};
_Static_assert(CODE_BYTE == UINT8_MAX, "a code is a byte");

static const uint64_t tens[DIGITS_MAX] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
	10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
};

/* ---- numbers before ---- */

struct past {
	uint64_t list[STORE_LINE_MAX / (DIGITS_MIN + 1)]; /* before each number is a byte that is no digit */
	size_t count;
	uint64_t last[DIGITS_MAX + 1]; /* last[N] is the last number with N digits; 0 if there was no such number */
};

static void begin(struct past *past)
{
	past->count = 0;
	memset(past->last, 0, sizeof(past->last));
}

static void remember(struct past *past, uint64_t number, int digits)
{
	past->list[past->count++] = number;
	past->last[digits] = number;
}

/* ---- bits ---- */

struct bits {
	uint8_t *to;
	const uint8_t *from, *end;
	uint64_t waiting; /* the lowest @count bits still have to be written, or were read but not yet used */
	int count;
};

static void put_some(struct bits *bits, uint64_t value, int count)
{
	bits->waiting = bits->waiting << count | value;
	for (bits->count += count; bits->count >= 8; bits->count -= 8)
		*bits->to++ = (uint8_t)(bits->waiting >> (bits->count - 8));
}

static void put_bits(struct bits *bits, uint64_t value, int count)
{
	if (count > 32)
		put_some(bits, value >> 32, count - 32);
	put_some(bits, value & UINT32_MAX, count > 32 ? 32 : count);
}

static uint64_t get_some(struct bits *bits, int count)
{
	for (; bits->count < count; bits->count += 8)
		bits->waiting = bits->waiting << 8 | (bits->from < bits->end ? *bits->from++ : 0);
	bits->count -= count;
	return bits->waiting >> bits->count & ((UINT64_C(1) << count) - 1);
}

static uint64_t get_bits(struct bits *bits, int count)
{
	uint64_t high = count > 32 ? get_some(bits, count - 32) : 0;

	return high << 32 | get_some(bits, count > 32 ? 32 : count);
}

/*
 * A truncated binary code for all numbers with the same count of digits. The count of these numbers is no power of two,
 * so the lowest numbers need one bit less.
 */
struct range {
	uint64_t least, shorter;
	int bits;
};

static struct range range_of(int digits)
{
	struct range range = { .least = tens[digits - 1] };
	uint64_t count = 9 * range.least;

	range.bits = 64 - __builtin_clzll(count);
	range.shorter = (UINT64_C(1) << range.bits) - count;
	return range;
}

static void put_digits(struct bits *bits, uint64_t number, int digits)
{
	struct range range = range_of(digits);
	uint64_t value = number - range.least;

	if (value < range.shorter)
		put_bits(bits, value, range.bits - 1);
	else
		put_bits(bits, value + range.shorter, range.bits);
}

static uint64_t get_digits(struct bits *bits, int digits)
{
	struct range range = range_of(digits);
	uint64_t value = get_bits(bits, range.bits - 1);

	if (value >= range.shorter)
		value = (value << 1 | get_some(bits, 1)) - range.shorter;
	return value + range.least;
}

/* ---- splitting ---- */

static int digits_of(uint64_t number)
{
	int digits = 1;

	while (digits < DIGITS_MAX && number >= tens[digits])
		digits++;
	return digits;
}

/* A number of the line. */
struct number {
	uint64_t value;
	int digits;
};

/* A number without its trailing zeros. */
struct cut {
	uint64_t number;
	int digits, zeros;
};

static struct cut cut(uint64_t number)
{
	struct cut cut = { .number = number };

	for (; cut.zeros < ZEROS_MAX && cut.number % 10 == 0; cut.zeros++)
		cut.number /= 10;
	cut.digits = digits_of(cut.number);
	return cut;
}

/*
 * Cuts the zeros at the end off. If there are more than ZEROS_MAX, leaves the first ZEROS_MAX + 1 of them: databases
 * have lines that were split in this way.
 */
static struct cut cut_zeros(const struct number *number)
{
	struct cut cut = { .number = number->value };
	int zeros = 0;

	for (; cut.number % 10 == 0; zeros++)
		cut.number /= 10;
	if (zeros > ZEROS_MAX)
		cut.number *= tens[ZEROS_MAX + 1];
	cut.zeros = zeros > ZEROS_MAX ? zeros - ZEROS_MAX - 1 : zeros;
	cut.digits = number->digits - cut.zeros;
	return cut;
}

#define SEEN_BITS 9
_Static_assert(STORE_LINE_MAX / (DIGITS_MIN + 1) <= UINT16_MAX, "a position is a uint16_t");

struct splitting {
	struct past past;
	/* by the hash of a number: where a number with this hash last occurred, counted from 1; 0 if never */
	uint16_t seen[1 << SEEN_BITS];
	struct bits bits;
	struct line_parts *parts;
};

/*
 * Returns how many numbers came since the last equal number; -1 if there was no equal number, or if too many came.
 * Remembers the number.
 */
static int find_recent(struct splitting *to, uint64_t number)
{
	uint16_t *seen = &to->seen[number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS)];
	size_t at = *seen, back = to->past.count - at;

	*seen = (uint16_t)(to->past.count + 1);
	return at && to->past.list[at - 1] == number && back <= UINT8_MAX ? (int)back : -1;
}

static void put_code(struct splitting *to, int code)
{
	to->parts->codes[to->parts->code_size++] = (uint8_t)code;
}

static void put_number(struct splitting *to, const struct number *number)
{
	uint64_t value = number->value, last = to->past.last[number->digits];
	int back = find_recent(to, value);
	struct cut own, near;

	remember(&to->past, value, number->digits);
	if (back >= 0) {
		put_code(to, CODE_RECENT);
		put_code(to, back);
		return;
	}
	own = cut_zeros(number);
	if (own.digits >= NEAR_DIGITS && last && last != value) {
		near = cut(value > last ? value - last : last - value);
		if (near.digits + NEAR_SAVES <= own.digits) {
			put_code(to, (value > last ? CODE_MORE : CODE_LESS) + number->digits - NEAR_DIGITS);
			own = near;
		}
	}
	put_code(to, own.zeros * DIGITS_MAX + own.digits - 1);
	put_digits(&to->bits, own.number, own.digits);
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Reads eight digits at once. Returns false if a byte is no digit. */
static bool eight_digits(const char *at, uint64_t *number)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	bytes = le64toh(bytes); /* the first digit is in the lowest byte */
	if (((bytes & EACH(0xf0)) | ((bytes + EACH(0x06)) & EACH(0xf0)) >> 4) != EACH(0x33))
		return false;
	/* joins two, then four, then eight digits: a digit counts 10, 100 or 10,000 times as much as its neighbour */
	bytes = (bytes & EACH(0x0f)) * (10 * 256 + 1) >> 8;
	bytes = (bytes & UINT64_C(0x00ff00ff00ff00ff)) * (UINT64_C(100) * 65536 + 1) >> 16;
	*number = (bytes & UINT64_C(0x0000ffff0000ffff)) * ((UINT64_C(10000) << 32) + 1) >> 32;
	return true;
}

/* Returns whether the number at @at can become a mark. The number must not begin with 0. */
static bool number_at(const char *at, const char *end, struct number *number)
{
	const char *from = at;
	uint64_t value = 0, eight;

	while (end - at >= 8 && eight_digits(at, &eight)) {
		value = 100000000 * value + eight;
		at += 8;
	}
	for (; at < end && is_digit(*at); at++)
		value = 10 * value + (uint64_t)(*at - '0');
	if (at - from < DIGITS_MIN || at - from > DIGITS_MAX || at == end || (*at != ',' && *at != ']' && *at != '}'))
		return false;
	*number = (struct number){ value, (int)(at - from) };
	return true;
}

/* What may follow a byte of the line, or what the byte is. */
static const uint8_t kinds[UINT8_MAX + 1] = { [MARK] = MARK, [','] = ',', [':'] = ':', ['['] = '[' };

bool line_split(const char *line, size_t length, struct line_parts *parts)
{
	const char *end = line + length;
	uint8_t *text = parts->text;
	struct splitting to;
	struct number number;

	if (length > STORE_LINE_MAX)
		return false;
	begin(&to.past);
	memset(to.seen, 0, sizeof(to.seen));
	to.bits = (struct bits){ .to = parts->bits };
	to.parts = parts;
	parts->code_size = 0;
	for (const char *at = line; at < end; at++) {
		uint8_t kind = kinds[(uint8_t)*at];

		*text++ = (uint8_t)*at;
		if (!kind)
			continue;
		if (kind == MARK) {
			put_code(&to, CODE_BYTE);
		} else if (at + 1 < end && is_digit(at[1]) && at[1] != '0' && number_at(at + 1, end, &number)) {
			*text++ = MARK;
			put_number(&to, &number);
			at += number.digits;
		}
	}
	parts->text_size = (size_t)(text - parts->text);
	if (to.bits.count)
		put_some(&to.bits, 0, 8 - to.bits.count);
	parts->bits_size = (size_t)(to.bits.to - parts->bits);
	return true;
}

/* ---- joining ---- */

struct joining {
	struct past past;
	struct bits bits;
	const uint8_t *code, *end;
};

/* Returns 0 if @code is not the code of a number. */
static uint64_t get_number(struct joining *from, int code)
{
	int zeros = code / DIGITS_MAX, digits = code % DIGITS_MAX + 1;

	return code < CODE_RECENT && zeros + digits <= DIGITS_MAX ? get_digits(&from->bits, digits) * tens[zeros] : 0;
}

static uint64_t get_recent(struct joining *from)
{
	size_t back = from->code < from->end ? *from->code++ : SIZE_MAX;

	return back < from->past.count ? from->past.list[from->past.count - 1 - back] : 0;
}

static uint64_t get_near(struct joining *from, int code)
{
	bool less = code >= CODE_LESS;
	uint64_t last = from->past.last[code - (less ? CODE_LESS : CODE_MORE) + NEAR_DIGITS];
	uint64_t difference = from->code < from->end ? get_number(from, *from->code++) : 0;

	if (!last || !difference)
		return 0;
	return less ? last - difference : last + difference;
}

/* Writes what the next mark stands for. Returns how many bytes it wrote; -1 if the parts are damaged. */
static int write_mark(struct joining *from, char *line, size_t room)
{
	int code = from->code < from->end ? *from->code++ : -1, length;
	uint64_t number;

	if (code < 0)
		return -1;
	if (code == CODE_BYTE) {
		*line = MARK;
		return 1;
	}
	number = code == CODE_RECENT ? get_recent(from) : code > CODE_RECENT ? get_near(from, code) : get_number(from, code);
	length = number ? digits_of(number) : 0;
	if (!length || number / 10 >= tens[DIGITS_MAX - 1] || (size_t)length > room ||
	    from->past.count == sizeof(from->past.list) / sizeof(from->past.list[0]))
		return -1;
	remember(&from->past, number, length);
	for (int i = length; i-- > 0; number /= 10)
		line[i] = (char)('0' + number % 10);
	return length;
}

long line_join(const struct line_parts *parts, char *line)
{
	struct joining from;
	size_t length = 0;

	begin(&from.past);
	from.bits = (struct bits){ .from = parts->bits, .end = parts->bits + parts->bits_size };
	from.code = parts->codes;
	from.end = parts->codes + parts->code_size;
	for (size_t at = 0; at < parts->text_size; at++) {
		int written = 1;

		if (length == STORE_LINE_MAX)
			return -1;
		if (parts->text[at] == MARK)
			written = write_mark(&from, line + length, STORE_LINE_MAX - length);
		else
			line[length] = (char)parts->text[at];
		if (written < 0)
			return -1;
		length += (size_t)written;
	}
	return (long)length;
}
