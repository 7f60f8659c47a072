/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calculates with a report's numbers. NAN means that a number is not known; see facts.h. */
#ifndef STINT_FACT_NUMBER_H
#define STINT_FACT_NUMBER_H

/*
 * Returns @value, or @most if @value is larger. Returns NAN if @value is unknown. If @most is unknown, returns
 * @value.
 */
static inline double fact_at_most(double value, double most)
{
	return value > most ? most : value;
}

/*
 * Returns @value, or 1 if @value is larger.
 */
static inline double fact_share(double value)
{
	return fact_at_most(value, 1);
}

/*
 * Returns @part divided by @whole; NAN unless @whole is known and greater than 0.
 */
double fact_ratio(double part, double whole);

#endif
