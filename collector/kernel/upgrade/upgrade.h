/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces kernel programs of another layout while jobs run. */
#ifndef STINT_UPGRADE_H
#define STINT_UPGRADE_H

#include "collector/kernel/programs.h"

programs_upgrade upgrade_replace;

#endif
