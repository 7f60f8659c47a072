/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helps to write numbers in sentences, such as "1 job" and "2 jobs". */
#ifndef STINT_PLURAL_H
#define STINT_PLURAL_H

/* Returns the ending of a noun after @count, which is "" or "s". */
static inline const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* Returns the ending of "batch" and similar nouns after @count, which is "" or "es". */
static inline const char *plural_es(double count)
{
	return count == 1 ? "" : "es";
}

/* Returns @one if @count is 1, otherwise @more, such as "is" or "are". */
static inline const char *plural_verb(double count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif
