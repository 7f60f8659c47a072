/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is made of a report's numbers: NAN is not known, see facts.h. */
#ifndef STINT_FACT_NUMBER_H
#define STINT_FACT_NUMBER_H

/*
 * Returns @value, or @most where @value is larger. A @value that is not known stays unknown; a @most that is not known
 * is no bound.
 */
static inline double fact_at_most(double value, double most)
{
	return value > most ? most : value;
}

/*
 * Returns @value, or 1 where @value is larger.
 */
static inline double fact_share(double value)
{
	return fact_at_most(value, 1);
}

/*
 * Returns @part divided by @whole; NAN unless @whole is known and above 0.
 */
double fact_ratio(double part, double whole);

#endif
