/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive's answer about its temperature means. For temperature-windows.c and its test. */
#pragma once

#include "app/core/temperature.h"

/* `answer`: `size` bytes of a STORAGE_TEMPERATURE_DATA_DESCRIPTOR. FALSE, with the output
 * untouched, when it tells nothing. Any thread. */
gboolean dg__temperature_of_answer (gconstpointer answer, gsize size,
                                    DgTemperature *ret_temperature);
