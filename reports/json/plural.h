/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helps to write numbers in sentences, such as "1 job" and "2 jobs". */
#ifndef STINT_PLURAL_H
#define STINT_PLURAL_H

/* Returns the ending "s" if a noun after @count needs it; "" if @count is 1. */
static inline const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* Returns the ending "es" if a noun like "batch" after @count needs it; "" if @count is 1. */
static inline const char *plural_es(double count)
{
	return count == 1 ? "" : "es";
}

/* Returns @one if @count is 1, and @more otherwise. Use it for words such as "is" and "are". */
static inline const char *plural_verb(double count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif
