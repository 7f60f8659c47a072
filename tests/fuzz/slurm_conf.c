/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes Slurm's own configuration files, as the doctor reads them. */
#include <stdlib.h>
#include <string.h>

#include "reports/slurm/plugstack.h"
#include "reports/slurm/slurm_conf.h"
#include "tests/fuzz/fuzz.h"

/* An include of this machine's files would make an input do something else tomorrow. */
static int includes_far(const char *text)
{
	return strcasestr(text, "include") && strpbrk(text, "/*?[~{");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct plugstack_line line;
	char value[32] = "as it was";
	struct error err = { "" };
	char *text = malloc(size + 1);
	int found;

	HOLDS(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (slurm_conf_value(text, "ProctrackType", value, sizeof(value)))
		HOLDS(!strpbrk(value, " \t\r\n\"#"));
	else
		HOLDS(strcmp(value, "as it was") == 0);
	if (!includes_far(text)) {
		char *whole = slurm_conf_read(fuzz_file(0, data, size), &err);

		HOLDS(whole);
		free(whole);
		err.text[0] = '\0';
		found = plugstack_find(fuzz_file(0, data, size), &line, &err);
		HOLDS(found <= 0 || (line.number >= 1 && strstr(line.plugin, "stint.so") && line.file[0]));
		HOLDS(found >= 0 || err.text[0]);
	}
	free(text);
	return 0;
}
