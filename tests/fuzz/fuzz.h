/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the fuzz targets share. A target states what is true for every input; a false statement ends the
 * program, which is a finding.
 *
 * Several texts in one input are separated by the byte 0x1e, which no JSON text has.
 */
#ifndef STINT_FUZZ_H
#define STINT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define FUZZ_SEPARATOR 0x1e

#define HOLDS(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition, NULL))
#define HOLDS_OF(condition, text) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition, (text)))

/* Ends the program with a message: the false statement, and for which text. */
void fuzz_fail(const char *file, int line, const char *statement, const char *text) __attribute__((noreturn));

/*
 * Takes the text up to the next separator off the input. Returns it with a NUL behind it, which the caller frees; NULL
 * if nothing is left.
 *
 * @len: its length; may be NULL
 */
char *fuzz_text(const uint8_t **data, size_t *size, size_t *len);

/* The next @count bytes of the input as a number; missing bytes are 0. */
uint64_t fuzz_number(const uint8_t **data, size_t *size, unsigned int count);

/* A file in memory that holds @data, until the next call with the same @slot (0 to 3). Returns its path. */
const char *fuzz_file(unsigned int slot, const void *data, size_t size);

/* An empty directory in memory, or below STINT_FUZZ_DIRECTORY, which is removed at exit. Returns its path. */
const char *fuzz_directory(void);

/* Reads the file @path; to be freed. */
char *fuzz_read(const char *path, size_t *len);

/* Whether the text may go to a terminal: valid UTF-8, and no control character but the line break. */
int fuzz_is_shown_safely(const char *text, size_t len);

/* Whether the text is JSON by RFC 8259, in valid UTF-8; found by another parser than stint's. */
int fuzz_is_json(const char *text, size_t len);

#endif
