/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_writer.h"
#include "common/time_text.h"

#define WHOLE_MAX (INT64_C(1) << 62) /* the nearest double to a larger number may not fit into 64 bits */

/* ---- reading ---- */

bool values_read(struct scan *scan, struct scan_value *value)
{
	value->type = scan_peek(scan);
	return value->type == SCAN_LIST || value->type == SCAN_OBJECT ? scan_skip(scan) : scan_plain(scan, value);
}

static int64_t count_of(const struct scan_value *value)
{
	return value->type == SCAN_INT && value->number >= 0 ? value->number : REPORT_UNKNOWN;
}

static double number_of(const struct scan_value *value)
{
	double number;

	if (value->type == SCAN_INT)
		return (double)value->number;
	number = value->type == SCAN_REAL ? strtod(value->text, NULL) : NAN;
	return isfinite(number) ? number : NAN;
}

static int64_t whole_ns(double seconds)
{
	double ns = round(seconds * NS_PER_S);

	return ns >= 0 && ns < (double)INT64_MAX ? (int64_t)ns : REPORT_UNKNOWN;
}

/*
 * Adds the first nine decimals behind the dot at @text to @ns. A tenth decimal only rounds the result.
 * Returns REPORT_UNKNOWN if the result needs more than 64 bits (292 years).
 */
static int64_t add_decimals(int64_t ns, const char *text)
{
	int64_t unit = NS_PER_S;

	for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
		unit /= 10;
		if (__builtin_add_overflow(ns, (*text - '0') * unit, &ns))
			return REPORT_UNKNOWN;
	}
	if (unit == 1 && *text >= '5' && *text <= '9' && ns < INT64_MAX)
		ns++;
	return ns;
}

/* Converts seconds to nanoseconds. Reads the digits of the text, because a double would lose some of them. */
static int64_t ns_of(const struct scan_value *value)
{
	int64_t ns;
	char behind;

	if ((value->type != SCAN_INT && value->type != SCAN_REAL) || *value->text == '-')
		return REPORT_UNKNOWN;
	behind = value->text[strspn(value->text, "0123456789.")];
	if (behind == 'e' || behind == 'E')
		return whole_ns(strtod(value->text, NULL));
	/* value->number is the part before the dot. */
	if (__builtin_mul_overflow(value->number, (int64_t)NS_PER_S, &ns))
		return REPORT_UNKNOWN;
	return value->type == SCAN_REAL ? add_decimals(ns, strchr(value->text, '.')) : ns;
}

/* Returns whether @value is a whole number that a double represents exactly. */
static bool is_whole(const struct scan_value *value)
{
	return value->type == SCAN_INT && value->number > -WHOLE_MAX && value->number < WHOLE_MAX &&
	       (int64_t)(double)value->number == value->number;
}

static const char *text_of(const struct scan_value *value)
{
	return value->type == SCAN_TEXT ? value->text : NULL;
}

void values_take(enum report_type type, const struct scan_value *value, void *member)
{
	switch (type) {
	case REPORT_TYPE_COUNT:
		*(int64_t *)member = count_of(value);
		break;
	case REPORT_TYPE_LIMIT:
		*(int64_t *)member = value->type == SCAN_NULL ? REPORT_NONE : count_of(value);
		break;
	case REPORT_TYPE_SUM: /* REPORT_NONE: null in the text, not left out; report_read.c then makes the sum unknown */
		*(int64_t *)member = count_of(value) < 0 ? REPORT_NONE : count_of(value);
		break;
	case REPORT_TYPE_REST:
		*(int64_t *)member = count_of(value);
		break;
	case REPORT_TYPE_OFFSET:
		*(int64_t *)member = value->type == SCAN_INT ? value->number : 0;
		break;
	case REPORT_TYPE_SECONDS:
		((struct report_seconds *)member)->ns = ns_of(value);
		break;
	case REPORT_TYPE_RATIO:
		*(double *)member = number_of(value);
		break;
	case REPORT_TYPE_TEXT:
	case REPORT_TYPE_WORD:
	case REPORT_TYPE_TIME:
		*(const char **)member = text_of(value);
		break;
	case REPORT_TYPE_MARK:
		*(bool *)member = value->type == SCAN_FLAG && value->number;
		break;
	case REPORT_TYPE_FLAG:
		*(struct report_flag *)member = (struct report_flag){ value->type == SCAN_FLAG,
								      value->type == SCAN_FLAG && value->number };
		break;
	case REPORT_TYPE_VALUE:
		*(struct report_value *)member =
			(struct report_value){ text_of(value), number_of(value), is_whole(value) };
		break;
	default:
		break;
	}
}

static enum report_type item_type(enum report_type list)
{
	switch (list) {
	case REPORT_TYPE_SECONDS_LIST:
		return REPORT_TYPE_SECONDS;
	case REPORT_TYPE_TEXT_LIST:
		return REPORT_TYPE_TEXT;
	case REPORT_TYPE_RATIO_MAP:
		return REPORT_TYPE_RATIO;
	default:
		return REPORT_TYPE_COUNT;
	}
}

size_t values_item_bytes(enum report_type list)
{
	switch (list) {
	case REPORT_TYPE_COUNT_MAP:
		return sizeof(struct report_named_count);
	case REPORT_TYPE_RATIO_MAP:
		return sizeof(struct report_named_ratio);
	case REPORT_TYPE_TEXT_LIST:
		return sizeof(const char *);
	case REPORT_TYPE_SECONDS_LIST:
		return sizeof(struct report_seconds);
	default:
		return sizeof(int64_t);
	}
}

void values_take_item(enum report_type list, const struct scan_value *value, void *item)
{
	values_take(item_type(list), value, item);
}

void values_take_named(enum report_type map, const char *name, const struct scan_value *value, void *item)
{
	if (map == REPORT_TYPE_COUNT_MAP)
		*(struct report_named_count *)item = (struct report_named_count){ name, count_of(value) };
	else
		*(struct report_named_ratio *)item = (struct report_named_ratio){ name, number_of(value) };
}

/* ---- writing ---- */

bool values_known(enum report_type type, const void *member)
{
	struct report_any_list list;

	switch (type) {
	case REPORT_TYPE_COUNT:
	case REPORT_TYPE_LIMIT:
	case REPORT_TYPE_SUM:
	case REPORT_TYPE_REST:
		return *(const int64_t *)member != REPORT_UNKNOWN;
	case REPORT_TYPE_OFFSET:
		return *(const int64_t *)member != 0;
	case REPORT_TYPE_SECONDS:
		return ((const struct report_seconds *)member)->ns >= 0;
	case REPORT_TYPE_RATIO:
		return isfinite(*(const double *)member);
	case REPORT_TYPE_TEXT:
	case REPORT_TYPE_WORD:
	case REPORT_TYPE_TIME:
		return *(const char *const *)member;
	case REPORT_TYPE_MARK:
		return *(const bool *)member;
	case REPORT_TYPE_FLAG:
		return ((const struct report_flag *)member)->known;
	case REPORT_TYPE_VALUE:
		return ((const struct report_value *)member)->text || isfinite(((const struct report_value *)member)->number);
	case REPORT_TYPE_OBJECT: /* the first member of each object is the bool "known" */
		return *(const bool *)member;
	default:
		memcpy(&list, member, sizeof(list));
		return list.known;
	}
}

void values_print_text(const char *text, FILE *out)
{
	static const char marks[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	static const char special[] = "\1\2\3\4\5\6\7\b\t\n\13\f\r\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37\"\\";

	fputc('"', out);
	for (;;) {
		size_t plain = strcspn(text, special);
		const char *mark;

		fwrite(text, 1, plain, out);
		text += plain;
		if (!*text)
			break;
		mark = strchr(marks, *text);
		if (mark)
			fprintf(out, "\\%c", letters[mark - marks]);
		else
			fprintf(out, "\\u%04x", (unsigned char)*text);
		text++;
	}
	fputc('"', out);
}

static void print_value(const struct report_value *value, FILE *out)
{
	if (value->text)
		values_print_text(value->text, out);
	else if (value->whole)
		fprintf(out, "%lld", (long long)value->number);
	else
		fprintf(out, JSON_RATIO, value->number);
}

static void print_count(int64_t count, FILE *out)
{
	if (count == REPORT_NONE)
		fputs("null", out);
	else
		fprintf(out, "%lld", (long long)count);
}

static void print_flag(bool value, FILE *out)
{
	fputs(value ? "true" : "false", out);
}

void values_print(enum report_type type, const void *member, FILE *out)
{
	char text[JSON_SECONDS_TEXT];

	switch (type) {
	case REPORT_TYPE_COUNT:
	case REPORT_TYPE_LIMIT:
	case REPORT_TYPE_SUM:
	case REPORT_TYPE_REST:
		print_count(*(const int64_t *)member, out);
		break;
	case REPORT_TYPE_OFFSET:
		fprintf(out, "%lld", (long long)*(const int64_t *)member);
		break;
	case REPORT_TYPE_SECONDS:
		fputs(json_seconds_text(((const struct report_seconds *)member)->ns, text), out);
		break;
	case REPORT_TYPE_RATIO:
		fprintf(out, JSON_RATIO, *(const double *)member);
		break;
	case REPORT_TYPE_TEXT:
	case REPORT_TYPE_WORD:
	case REPORT_TYPE_TIME:
		values_print_text(*(const char *const *)member, out);
		break;
	case REPORT_TYPE_MARK:
		print_flag(*(const bool *)member, out);
		break;
	case REPORT_TYPE_FLAG:
		print_flag(((const struct report_flag *)member)->value, out);
		break;
	case REPORT_TYPE_VALUE:
		print_value(member, out);
		break;
	default:
		break;
	}
}

static const void *item_of(enum report_type type, const struct report_any_list *list, size_t i)
{
	return (const char *)list->items + i * values_item_bytes(type);
}

void values_print_item(enum report_type type, const struct report_any_list *list, size_t i, FILE *out)
{
	const void *item = item_of(type, list, i);

	if (type == REPORT_TYPE_COUNT_MAP)
		item = &((const struct report_named_count *)item)->value;
	else if (type == REPORT_TYPE_RATIO_MAP)
		item = &((const struct report_named_ratio *)item)->value;
	if (values_known(item_type(type), item))
		values_print(item_type(type), item, out);
	else
		fputs("null", out);
}

const char *values_name(enum report_type type, const struct report_any_list *map, size_t i)
{
	const void *item = item_of(type, map, i);

	return type == REPORT_TYPE_COUNT_MAP ? ((const struct report_named_count *)item)->name :
					       ((const struct report_named_ratio *)item)->name;
}
