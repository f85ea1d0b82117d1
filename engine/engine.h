/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measuring core's public face. Everything that another room may use is in these headers. */
#pragma once

#include "engine/cleanup.h"
#include "engine/error.h"
#include "engine/histogram.h"
#include "engine/link.h"
#include "engine/plan.h"
#include "engine/plan-run.h"
#include "engine/reason.h"
#include "engine/result.h"
#include "engine/targets.h"
