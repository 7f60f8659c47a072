/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the words with which reports/lines/line_pack.c packs store lines.
 *
 *   line_words <LINES >line_words_N.h
 *
 * LINES are store lines: cat STORE/new/??/?*. Other lines are skipped.
 * Another set of words is another form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zdict.h>

#include "reports/lines/line_split.h"

#define SAMPLES_MAX 20000

/* A part of all lines, one behind another. */
struct samples {
	FILE *out;
	char *data;
	size_t size, sizes[SAMPLES_MAX];
};

static struct samples texts, codes;
static struct line_parts parts;

static void add(struct samples *samples, unsigned int at, const void *data, size_t size)
{
	fwrite(data, 1, size, samples->out);
	samples->sizes[at] = size;
}

static void print(const char *name, struct samples *samples, unsigned int count, size_t size)
{
	unsigned char words[1 << 14];

	fclose(samples->out);
	size = ZDICT_trainFromBuffer(words, size, samples->data, samples->sizes, count);
	if (ZDICT_isError(size)) {
		fprintf(stderr, "line_words: %s: %s\n", name, ZDICT_getErrorName(size));
		exit(1);
	}
	printf("static const unsigned char %s[] = {", name);
	for (size_t i = 0; i < size; i++)
		printf("%s%u,", i % 32 ? "" : "\n", words[i]);
	printf("\n};\n");
	free(samples->data);
}

int main(void)
{
	unsigned int count = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	texts.out = open_memstream(&texts.data, &texts.size);
	codes.out = open_memstream(&codes.data, &codes.size);
	if (!texts.out || !codes.out)
		return 1;
	while (count < SAMPLES_MAX && (length = getline(&line, &room, stdin)) > 0) {
		if (strncmp(line, "{\"stint_store\":", 15) != 0 || !line_split(line, (size_t)length - 1, &parts))
			continue;
		add(&texts, count, parts.text, parts.text_size);
		add(&codes, count++, parts.codes, parts.code_size);
	}
	printf("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
	       "/* Words of packed lines, made of %u lines by tests/site/line_words.c. They must not change. */\n", count);
	print("text_words", &texts, count, 12288);
	print("code_words", &codes, count, 12288);
	free(line);
	return 0;
}
