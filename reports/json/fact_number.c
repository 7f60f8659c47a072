/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/fact_number.h"

#include <math.h>

double fact_ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}
