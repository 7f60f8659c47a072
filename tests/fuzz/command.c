/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes main() with its arguments, in a directory with files that anybody may have left there.
 * The input is the arguments, with blanks between, and up to three files: stint-1.json and so on.
 * exit() returns, and no other program runs. Root may run this, so no argument leads out of the directory.
 */
#define main stint_main
int main(int argc, char *argv[]);
#include "reports/cmd/stint.c" /* the command's main() */
#undef main

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "common/process/subprocess.h"
#include "tests/fuzz/fuzz.h"

#define WORDS_MAX 16
#define FILES 3

static jmp_buf back;
static bool running, parsing;

/* A sanitizer's functions, if there is one. What argp holds when exit() returns counts as no leak. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void parse(bool begin)
{
	if (begin && __lsan_disable)
		__lsan_disable();
	if (!begin && parsing && __lsan_enable)
		__lsan_enable();
	parsing = begin;
}
static const char *directory;

struct written {
	FILE *file;
	char *text;
	size_t len;
};

/* ---- functions between the command and the outside ---- */

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status)
{
	if (!running) /* the fuzzer's own exit() */
		__real_exit(status);
	parse(false);
	longjmp(back, status + 1);
}

error_t __real_argp_parse(const struct argp *argp, int argc, char **argv, unsigned int flags, int *index, void *input);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned int flags, int *index, void *input);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned int flags, int *index, void *input)
{
	error_t error;

	parse(true);
	error = __real_argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT, index, input);
	parse(false);
	/* After --help parsing goes on here: the real command ends. */
	if (error)
		__wrap_exit(USAGE_EXIT);
	return 0;
}

char *__wrap_subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len,
			       struct error *err);
char *__wrap_subprocess_output(const char *const argv[], unsigned int wait_ms, size_t max, size_t *len,
			       struct error *err)
{
	(void)wait_ms;
	(void)max;
	(void)len;
	error_set(err, "%s: not here", argv[0]);
	return NULL;
}

/* ---- the directory ---- */

static void name_of(size_t i, char name[32])
{
	snprintf(name, 32, "stint-%zu.json", i + 1);
}

static void put_files(char *texts[FILES], const size_t lengths[FILES])
{
	char name[32];

	for (size_t i = 0; i < FILES; i++) {
		name_of(i, name);
		if (texts[i])
			HOLDS(file_write(AT_FDCWD, name, 0600, texts[i], lengths[i], NULL) == 0);
	}
}

/* Files may be new only if they are a page or a trace. All others are unchanged. */
static void check_files(char *texts[FILES], const size_t lengths[FILES])
{
	char name[32];
	struct dirent *entry;
	DIR *entries;

	for (size_t i = 0; i < FILES; i++) {
		size_t len;
		char *text;

		name_of(i, name);
		if (!texts[i])
			continue;
		text = fuzz_read(name, &len);
		HOLDS_OF(len == lengths[i] && memcmp(text, texts[i], len) == 0, name);
		free(text);
		HOLDS(unlink(name) == 0);
	}
	entries = opendir(".");
	HOLDS(entries);
	while ((entry = readdir(entries))) {
		size_t len;
		char *text;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		text = fuzz_read(entry->d_name, &len);
		HOLDS_OF(strncmp(text, "<!DOCTYPE html>\n<!-- Made by stint", 34) == 0 ||
				 strncmp(text, "{\"traceEvents\":[", 16) == 0,
			 entry->d_name);
		free(text);
		HOLDS(unlink(entry->d_name) == 0);
	}
	closedir(entries);
}

/* ---- the run ---- */

/* Takes the words that lead to no other directory and start no program. Returns how many. */
static int split(char *text, char *words[WORDS_MAX + 1])
{
	static char name[] = "stint";
	int count = 0;

	words[count++] = name;
	for (char *save, *word = strtok_r(text, " ", &save); word && count < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save))
		if (!strchr(word, '/') && !strstr(word, "..") && strcmp(word, "doctor") != 0)
			words[count++] = word;
	words[count] = NULL;
	return count;
}

static void written_begin(struct written *written, FILE **stream)
{
	written->text = NULL;
	written->file = open_memstream(&written->text, &written->len);
	HOLDS(written->file);
	*stream = written->file;
}

/* getopt prints a wrong option with the caller's bytes unchanged. */
static bool has_odd_bytes(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return true;
	return false;
}

static void check_words(struct written *out, struct written *errors, const char *arguments, int status)
{
	size_t lines = 0;

	for (size_t i = 0; i < errors->len; i++)
		lines += errors->text[i] == '\n';
	HOLDS_OF(status == 0 || status == 1 || status == 2, arguments);
	HOLDS_OF(status == 0 || lines > 0, arguments);
	HOLDS_OF(fuzz_is_shown_safely(errors->text, errors->len), errors->text);
	/* Colours and CSV line ends are wanted by the caller. */
	if (!strstr(arguments, "--co") && !strstr(arguments, "--cs"))
		HOLDS_OF(strstr(arguments, "--ht") || fuzz_is_shown_safely(out->text, out->len), out->text);
}

static int run_command(int count, char *words[])
{
	int status = setjmp(back);

	if (!status) {
		running = true;
		status = stint_main(count, words) + 1;
	}
	running = false;
	return status - 1;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	directory = fuzz_directory();
	setenv("TZ", "UTC0", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int before = -1;
	FILE *const real_out = stdout, *const real_errors = stderr;
	size_t length = 0, lengths[FILES] = { 0 };
	char *arguments = fuzz_text(&data, &size, &length), *texts[FILES] = { NULL }, *words[WORDS_MAX + 1];
	char *line = arguments ? strdup(arguments) : NULL;
	struct written out, errors;
	int status, count;

	if (!line || has_odd_bytes(arguments, length)) {
		free(arguments);
		free(line);
		return 0;
	}
	for (size_t i = 0; i < FILES; i++)
		texts[i] = fuzz_text(&data, &size, &lengths[i]);
	/* Files that the inputs name are elsewhere. */
	before = before < 0 ? open(".", O_PATH | O_DIRECTORY | O_CLOEXEC) : before;
	HOLDS(chdir(directory) == 0);
	put_files(texts, lengths);
	written_begin(&out, &stdout);
	written_begin(&errors, &stderr);
	count = split(line, words);
	status = run_command(count, words);
	fclose(out.file);
	fclose(errors.file);
	stdout = real_out;
	stderr = real_errors;
	check_words(&out, &errors, arguments, status);
	check_files(texts, lengths);
	HOLDS(fchdir(before) == 0);
	free(out.text);
	free(errors.text);
	for (size_t i = 0; i < FILES; i++)
		free(texts[i]);
	free(arguments);
	free(line);
	return 0;
}
