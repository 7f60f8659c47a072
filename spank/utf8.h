/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of users, who may write any byte, made fit for JSON, which is UTF-8. */
#ifndef STINT_UTF8_H
#define STINT_UTF8_H

/*
 * Returns a copy of @text with every byte that is no part of a valid UTF-8
 * sequence (overlong forms and surrogates are none) replaced by U+FFFD; to be
 * freed; NULL when there is no memory.
 */
char *utf8_valid(const char *text);

#endif
