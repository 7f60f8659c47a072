/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For compilers without a fuzzer: passes each FILE to the target, as libFuzzer does. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

int main(int argc, char *argv[])
{
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		size_t len;
		char *text = fuzz_read(argv[i], &len);

		LLVMFuzzerTestOneInput((const uint8_t *)text, len);
		free(text);
	}
	printf("%d inputs\n", argc - 1);
	return 0;
}
