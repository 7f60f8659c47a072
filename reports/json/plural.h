/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "1 job", "2 jobs": numbers in sentences. */
#ifndef STINT_PLURAL_H
#define STINT_PLURAL_H

/* Returns the ending of a noun after @count: nothing, or "s". */
static inline const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* Returns the ending of "batch" and similar nouns after @count: nothing, or "es". */
static inline const char *plural_es(double count)
{
	return count == 1 ? "" : "es";
}

/* Returns @one for a @count of 1, else @more: "is" or "are". */
static inline const char *plural_verb(double count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif
