/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rules/sentence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/suffix.h"
#include "common/utf8.h"
#include "reports/json/units.h"
#include "reports/rules/evidence.h"
#include "reports/rules/rules.h"

#define VALUE_NAME 64
#define MS_PER_S 1e3
#define GROUP 3 /* digits between two commas */

struct sentence {
	const struct report_evidence_list *evidence;
	char *text;
	bool known;    /* all values of the current [], or of the sentence, are known */
	bool in_group; /* between [ and ] */
};

#define append(sentence, ...) utf8_append((sentence)->text, SENTENCE_TEXT, __VA_ARGS__)

static void append_grouped(struct sentence *sentence, double value)
{
	char digits[EVIDENCE_VALUE_TEXT];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%.0f", value);

	for (size_t i = 0; i < length && i < sizeof(digits) - 1; i++)
		append(sentence, "%c%s", digits[i], length - i > 1 && (length - i) % GROUP == 1 ? "," : "");
}

static void append_seconds(struct sentence *sentence, double seconds)
{
	char text[DURATION_TEXT];

	if (seconds > 0 && seconds < 0.1)
		append(sentence, "%.2g ms", fmax(MS_PER_S * seconds, 0.001));
	else
		append(sentence, "%s", worded_duration_text(seconds, text));
}

static void append_number(struct sentence *sentence, const char *name, const char *unit, double value)
{
	char text[EVIDENCE_VALUE_TEXT];

	char percent[PERCENT_TEXT];

	if (strcmp(unit, "s") == 0) {
		append_seconds(sentence, value);
	} else if (!*unit && (has_suffix(name, "_share") || has_suffix(name, "_efficiency"))) {
		append(sentence, "%s", percent_text(value, percent));
	} else if (!*unit && value == floor(value)) {
		append_grouped(sentence, value);
	} else {
		evidence_value_text(name, unit, value, text);
		append(sentence, "%s", text);
	}
}

static void append_times(struct sentence *sentence, double count)
{
	if (count == 1 || count == 2) {
		append(sentence, "%s", count == 1 ? "once" : "twice");
		return;
	}
	append_grouped(sentence, count);
	append(sentence, " times");
}

/* Returns the first known entry of @names, which are separated by commas; NULL if none is known. */
static const struct report_evidence *find_value(const struct sentence *sentence, const char *names, size_t length)
{
	while (length > 0) {
		size_t one = strcspn(names, ",") < length ? strcspn(names, ",") : length;

		for (size_t i = 0; i < sentence->evidence->count; i++) {
			const struct report_evidence *entry = &sentence->evidence->items[i];

			if (entry->name && strlen(entry->name) == one && strncmp(entry->name, names, one) == 0 &&
			    (entry->value.text || isfinite(entry->value.number)))
				return entry;
		}
		one += one < length;
		names += one;
		length -= one;
	}
	return NULL;
}

static const char *expand(struct sentence *sentence, const char *at, const char *end);

static const char *expand_if(struct sentence *sentence, bool wanted, const char *at, const char *end)
{
	size_t length = strlen(sentence->text);
	bool known = sentence->known;

	at = expand(sentence, at, end);
	if (!wanted) {
		sentence->text[length] = '\0';
		sentence->known = known;
	}
	return at;
}

/* Appends one value. @at: after its '{'. Returns the place after its '}'. */
static const char *expand_value(struct sentence *sentence, const char *at)
{
	size_t length = strcspn(at, "#!?}");
	const struct report_evidence *entry = find_value(sentence, at, length);
	double value = entry ? entry->value.number : NAN;
	char form = at[length];

	at += length;
	if (!entry || (value == 0 && sentence->in_group))
		sentence->known = false;
	if (form == '?') {
		at = expand_if(sentence, value == 1, at + 1, "|");
		at = expand_if(sentence, value != 1, at + (*at == '|'), "}");
		return at + (*at == '}');
	}
	if (entry && entry->value.text)
		utf8_append_cut(sentence->text, SENTENCE_TEXT, NAME_SHOWN, entry->value.text);
	else if (entry && form == '#')
		append(sentence, "%.0f", value);
	else if (entry && form == '!')
		append_times(sentence, value);
	else if (entry)
		append_number(sentence, entry->name, entry->unit ? entry->unit : "", value);
	at += strcspn(at, "}");
	return at + (*at == '}');
}

/* Appends one optional text. @at: after its '['. Returns the place after its ']'. */
static const char *expand_group(struct sentence *sentence, const char *at)
{
	size_t length = strlen(sentence->text);
	bool known = sentence->known;

	sentence->known = sentence->in_group = true;
	at = expand(sentence, at, "]");
	if (!sentence->known)
		sentence->text[length] = '\0';
	sentence->known = known;
	sentence->in_group = false;
	return at + (*at == ']');
}

/* Expands the pattern up to a character of @end. Returns where it stopped. */
static const char *expand(struct sentence *sentence, const char *at, const char *end)
{
	while (*at && !strchr(end, *at)) {
		if (*at == '{')
			at = expand_value(sentence, at + 1);
		else if (*at == '[')
			at = expand_group(sentence, at + 1);
		else
			append(sentence, "%c", *at++);
	}
	return at;
}

bool sentence_write(const char *pattern, const struct report_evidence_list *evidence, char text[SENTENCE_TEXT])
{
	struct sentence sentence = { .evidence = evidence, .text = text, .known = true };

	text[0] = '\0';
	expand(&sentence, pattern, "");
	return sentence.known;
}

static const char *pattern_of(const char *code)
{
	const struct finding_rule *rule = code ? rules_finding(code, strlen(code)) : NULL;

	return rule ? rule->sentence : NULL;
}

const char *sentence_of_finding(const struct report_finding *finding, char text[SENTENCE_TEXT])
{
	const char *code = finding->code, *pattern = pattern_of(code);

	if (finding->text)
		return finding->text;
	if (pattern && sentence_write(pattern, &finding->evidence, text))
		return text;
	return finding->hint ? finding->hint : code ? code : "?";
}
