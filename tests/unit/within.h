/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asserts that a number that is not negative lies in a range: cmocka 1 and cmocka 2 have different names for it. */
#ifndef TESTS_UNIT_WITHIN_H
#define TESTS_UNIT_WITHIN_H

#include <cmocka.h>

#ifdef assert_uint_in_range
#define assert_within(value, minimum, maximum) assert_uint_in_range(value, minimum, maximum)
#else
#define assert_within(value, minimum, maximum) assert_in_range(value, minimum, maximum)
#endif

#endif
