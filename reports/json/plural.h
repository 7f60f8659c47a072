/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helps to write "1 job" and "2 jobs". */
#ifndef STINT_PLURAL_H
#define STINT_PLURAL_H

/* Returns "s" for a noun after @count; "" for 1. */
static inline const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* Returns "es" for a noun like "batch" after @count; "" for 1. */
static inline const char *plural_es(double count)
{
	return count == 1 ? "" : "es";
}

/* Returns @one for 1, else @more. For words such as "is" and "are". */
static inline const char *plural_verb(double count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif
