/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the fuzz targets share.
 * A target states what is true for every input. A false statement ends the program.
 * The byte 0x1e, which no JSON text has, separates several texts in one input.
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

/* Prints the false statement and its text, and ends the program. */
void fuzz_fail(const char *file, int line, const char *statement, const char *text) __attribute__((noreturn));

/*
 * Takes the text up to the next separator off the input.
 *
 * @len: set to its length; may be NULL
 *
 * Returns the text with a NUL, which the caller must free; NULL if nothing is left.
 */
char *fuzz_text(const uint8_t **data, size_t *size, size_t *len);

/* Returns the next @count bytes of the input as a number; missing bytes are 0. */
uint64_t fuzz_number(const uint8_t **data, size_t *size, unsigned int count);

/* Puts @data into a file in memory, until the next call with the same @slot (0 to 3). Returns its path. */
const char *fuzz_file(unsigned int slot, const void *data, size_t size);

/* Makes an empty directory in memory, or below STINT_FUZZ_DIRECTORY, which is removed at exit. Returns its path. */
const char *fuzz_directory(void);

/* Reads the file @path. The caller must free the result. */
char *fuzz_read(const char *path, size_t *len);

/* Returns whether the text may go to a terminal: valid UTF-8, and no control character but the line break. */
int fuzz_is_shown_safely(const char *text, size_t len);

/* Returns whether the text is JSON by RFC 8259, in valid UTF-8. Uses another parser than stint's. */
int fuzz_is_json(const char *text, size_t len);

#endif
