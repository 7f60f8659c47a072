/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calculates with a report's numbers. NAN means not known (facts.h). */
#ifndef STINT_FACT_NUMBER_H
#define STINT_FACT_NUMBER_H

/* Returns the smaller of @value and @most; NAN if @value is not known; @value if @most is not known. */
static inline double fact_at_most(double value, double most)
{
	return value > most ? most : value;
}

/* Cuts a share at 1. */
static inline double fact_share(double value)
{
	return fact_at_most(value, 1);
}

/* Returns @part / @whole; NAN if @whole is not known, or not above 0. */
double fact_ratio(double part, double whole);

#endif
