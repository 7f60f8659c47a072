/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/advice_lines.h"

#include <stdbool.h>
#include <string.h>

#include "reports/json/field.h"

const char *const advice_place_heads[ADVICE_PLACES] = {
	[ADVICE_AT_TOP] = "lines for the job script",
	[ADVICE_ABOVE] = "above the command that does the work",
	[ADVICE_OF_STEP] = "as an option of the step's srun",
};

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

enum advice_place advice_place_of(const char *line)
{
	if (begins(line, "#SBATCH "))
		return ADVICE_AT_TOP;
	return begins(line, "srun ") ? ADVICE_OF_STEP : ADVICE_ABOVE;
}

const char *advice_next_line(struct json_object *advice, enum advice_place place, size_t *at)
{
	while (*at < field_length(advice)) {
		const char *line = field_text(json_object_array_get_idx(advice, (*at)++), "line");

		if (line && advice_place_of(line) == place)
			return line;
	}
	return NULL;
}
