/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the script that an interpreter runs.
 *
 * Code on the command line (-c, -e) ends the search, and is never stored.
 * An unknown option ends the search, too: its value may be a user's secret.
 */
#ifndef STINT_SCRIPT_H
#define STINT_SCRIPT_H

#include "bpf/maps.h"
#include "bpf/path.h"

#define SCRIPT_ARGUMENTS_MAX 48
#define SCRIPT_ARGUMENT_MAX 256

struct script_search {
	struct interpreter rules;
	const char *at;  /* address in the task's memory, like the next two */
	const char *end;
	const char *found;
	bool take;
	bool skip;
	bool rest;
	bool done;
	bool named;
	bool code; /* the interpreter runs code from its command line, or another program */
	bool commanded; /* of a container's runtime: its command was found */
	char text[SCRIPT_ARGUMENT_MAX];
};

static __always_inline bool script_letter(const char letters[4], char letter)
{
	return letter == letters[0] || letter == letters[1] || letter == letters[2] || letter == letters[3];
}

/* Reads an argument such as "-abc". */
static __noinline void script_short_option(struct script_search *s, const struct interpreter *in)
{
	if (!s || !in)
		return;
	for (int i = 1; i < 16; i++) {
		char c = s->text[i];

		if (!c)
			return;
		if (script_letter(in->code, c)) {
			s->done = true;
			return;
		}
		if (script_letter(in->script, c)) {
			s->named = true;
			if (s->text[i + 1]) {
				s->found = s->at + i + 1;
				s->done = true;
			} else {
				s->take = true;
			}
			return;
		}
		if (script_letter(in->value, c)) {
			s->skip = !s->text[i + 1];
			return;
		}
	}
	s->done = true; /* the next letters may be code */
}

#define STARTS(text, word) text_same((text), (word), sizeof(word) - 1)
#define EQUALS(text, word) text_same((text), (word), sizeof(word))

#define SCRIPT_OPTION_MAX 64

static __noinline bool script_has_value(const struct script_search *s)
{
	if (!s)
		return false;
	for (u32 i = 2; i < SCRIPT_OPTION_MAX && s->text[i]; i++)
		if (s->text[i] == '=')
			return true;
	return false;
}

static __noinline bool script_is_flag(const struct script_search *s)
{
	if (!s)
		return false;
	return STARTS(s->text, "--no") || STARTS(s->text, "--quiet") || STARTS(s->text, "--silent") ||
	       STARTS(s->text, "--verbose") || EQUALS(s->text, "--login") || EQUALS(s->text, "--posix") || /* bash */
	       EQUALS(s->text, "--vanilla") || EQUALS(s->text, "--slave") || EQUALS(s->text, "--interactive") || /* R */
	       STARTS(s->text, "--disable-") || STARTS(s->text, "--enable-") || EQUALS(s->text, "--yjit") || /* ruby */
	       STARTS(s->text, "--trace-") || STARTS(s->text, "--experimental-") || /* node */
	       EQUALS(s->text, "--traditional"); /* octave */
}

static __noinline void script_long_option(struct script_search *s)
{
	if (!s)
		return;
	if (!s->text[2]) {
		s->take = true;
	} else if (STARTS(s->text, "--file=")) { /* R */
		s->found = s->at + 7;
		s->done = true;
	} else if (STARTS(s->text, "--eval") || STARTS(s->text, "--print") || /* node, julia, octave */
		   STARTS(s->text, "--command") || STARTS(s->text, "--init-command")) { /* fish */
		s->done = true;
	} else if (script_has_value(s)) {
		return;
	} else if (EQUALS(s->text, "--rcfile") || EQUALS(s->text, "--init-file") || /* bash */
		   EQUALS(s->text, "--class-path") || EQUALS(s->text, "--module-path") || /* java */
		   STARTS(s->text, "--add-") || EQUALS(s->text, "--require")) { /* java, node */
		s->skip = true;
	} else if (!script_is_flag(s)) {
		s->done = true;
	}
}

static __noinline void script_java_option(struct script_search *s)
{
	if (!s)
		return;
	if (EQUALS(s->text, "-jar") || EQUALS(s->text, "-m")) {
		s->take = true;
		s->named = s->text[1] == 'm';
	}
	else if (EQUALS(s->text, "-cp") || EQUALS(s->text, "-classpath") || EQUALS(s->text, "-p"))
		s->skip = true;
}

static long script_argument(u32 index, struct script_search **search)
{
	struct script_search *s = *search;
	const struct interpreter *in = &s->rules;
	bool rest = s->rest;
	long n;

	if (s->at >= s->end)
		return 1;
	n = bpf_probe_read_user_str(s->text, sizeof(s->text), s->at);
	if (n <= 0)
		return 1;
	s->rest = n == sizeof(s->text);
	if (index == 0 || rest)
		goto next; /* argv[0], or the rest of a long argument */
	if (s->skip) {
		s->skip = false;
		goto next;
	}
	if (s->take || (s->text[0] != '-' && !(in->plus && s->text[0] == '+'))) {
		s->found = s->text[0] ? s->at : NULL;
		s->named |= !s->take && in->style == INTERPRETER_JAVA; /* a class */
		return 1;
	}
	if (!s->text[1])
		return 1;
	if (s->text[0] == '-' && s->text[1] == '-')
		script_long_option(s);
	else if (in->style == INTERPRETER_JAVA)
		script_java_option(s);
	else
		script_short_option(s, in);
	if (s->done)
		return 1;
next:
	s->at += s->rest ? n - 1 : n;
	return 0;
}

static __always_inline const char *script_find(struct script_search *s, struct mm_struct *mm,
					       const struct interpreter *interpreter)
{
	s->rules = *interpreter;
	s->at = (const char *)mm->arg_start;
	s->end = (const char *)mm->arg_end;
	s->found = NULL;
	s->take = s->skip = s->rest = s->done = s->named = false;
	bpf_loop(SCRIPT_ARGUMENTS_MAX, script_argument, &s, 0);
	/* The user's other arguments must not remain in this buffer. */
	__builtin_memset(s->text, 0, sizeof(s->text));
	return s->found;
}

/*
 * Returns what the argument s->text is; 0: not known.
 *
 * This function and the next three are global, so that the verifier checks each of them once.
 *
 * @letter: of an option of one letter; 0: the whole argument
 */
__weak __noinline int runtime_option(const struct script_search *s, int letter)
{
	struct runtime_option_key key = {};
	u32 *option;

	if (!s)
		return 0;
	key.options = s->rules.options;
	key.commanded = s->commanded;
	if (letter) {
		key.name[0] = '-';
		key.name[1] = letter;
	} else {
		for (u32 i = 0; i < sizeof(key.name) && s->text[i]; i++)
			key.name[i] = s->text[i];
	}
	option = bpf_map_lookup_elem(&runtime_options, &key);
	return option ? *option : 0;
}

/* Reads an argument such as "-abc". */
__weak __noinline int runtime_short_options(struct script_search *s)
{
	if (!s)
		return 0;
	for (int i = 1; i < 16; i++) {
		char c = s->text[i];
		u32 option;

		if (!c)
			return 0;
		option = runtime_option(s, c);
		if (option == RUNTIME_VALUE) {
			s->skip = !s->text[i + 1];
			return 0;
		}
		if (option != RUNTIME_FLAG) {
			s->done = true; /* the next argument may be a value */
			return 0;
		}
	}
	s->done = true;
	return 0;
}

__weak __noinline int runtime_long_option(struct script_search *s)
{
	u32 option;

	if (!s || !s->text[2] || script_has_value(s))
		return 0;
	option = runtime_option(s, 0);
	s->skip = option == RUNTIME_VALUE;
	s->done = option != RUNTIME_VALUE && option != RUNTIME_FLAG;
	return 0;
}

/* Reads an argument that is no option: a command, or the image. */
__weak __noinline int runtime_word(struct script_search *s)
{
	u32 option;

	if (!s)
		return 0;
	if (!s->rules.command || s->commanded) {
		s->found = s->text[0] ? s->at : NULL;
		s->done = true;
		return 0;
	}
	option = runtime_option(s, 0);
	s->commanded = option == RUNTIME_COMMAND;
	s->done = option != RUNTIME_COMMAND && option != RUNTIME_GROUP;
	return 0;
}

static long runtime_argument(u32 index, struct script_search **search)
{
	struct script_search *s = *search;
	bool rest = s->rest;
	long n;

	if (s->at >= s->end)
		return 1;
	n = bpf_probe_read_user_str(s->text, sizeof(s->text), s->at);
	if (n <= 0)
		return 1;
	s->rest = n == sizeof(s->text);
	if (index == 0 || rest)
		goto next;
	if (s->skip) {
		s->skip = false;
	} else if (s->take) {
		s->take = s->text[0] == '-'; /* until the runtime's own script is found */
	} else if (s->text[0] != '-') {
		runtime_word(s);
	} else if (s->text[1] == '-') {
		runtime_long_option(s);
	} else {
		s->done = !s->text[1];
		runtime_short_options(s);
	}
	if (s->done)
		return 1;
next:
	s->at += s->rest ? n - 1 : n;
	return 0;
}

/*
 * Finds the image that a container's runtime was given. No other argument is ever stored.
 *
 * @script: the runtime is a script, so the first argument that is no option is its name
 *
 * Returns the image's address in the task's memory; NULL if there is none.
 */
static __always_inline const char *runtime_find_image(struct script_search *s, struct mm_struct *mm,
						      const struct interpreter *runtime, bool script)
{
	s->rules = *runtime;
	s->at = (const char *)mm->arg_start;
	s->end = (const char *)mm->arg_end;
	s->found = NULL;
	s->skip = s->rest = s->done = s->commanded = false;
	s->take = script;
	if (runtime->options)
		bpf_loop(SCRIPT_ARGUMENTS_MAX, runtime_argument, &s, 0);
	__builtin_memset(s->text, 0, sizeof(s->text));
	return s->found;
}

#endif
