/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An upgrade with jobs running: replaces programs of another layout, which count for jobs, while the jobs run. No other
 * part of the collector knows how.
 */
#ifndef STINT_UPGRADE_H
#define STINT_UPGRADE_H

#include "collector/kernel/programs.h"

programs_upgrade upgrade_replace;

#endif
