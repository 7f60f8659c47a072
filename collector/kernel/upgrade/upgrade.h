/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upgrades the kernel programs while jobs run: replaces programs of another layout that count for jobs. No other part
 * of the collector knows how this works.
 */
#ifndef STINT_UPGRADE_H
#define STINT_UPGRADE_H

#include "collector/kernel/programs.h"

programs_upgrade upgrade_replace;

#endif
