/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/json/fact_number.h"

#include <math.h>

#include "reports/json/field.h"

static double possible(double value)
{
	return value >= 0 && value <= FACT_NUMBER_MAX ? value : NAN;
}

double fact_number(struct json_object *object, const char *name)
{
	double value;

	return field_number(object, name, &value) ? possible(value) : NAN;
}

double fact_at(struct json_object *list, size_t i)
{
	struct json_object *number = i < field_length(list) ? json_object_array_get_idx(list, i) : NULL;

	if (!json_object_is_type(number, json_type_int) && !json_object_is_type(number, json_type_double))
		return NAN;
	return possible(json_object_get_double(number));
}

double fact_ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}
