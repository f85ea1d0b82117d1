/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/report/draw-axis.h"

#include <math.h>

gdouble
dg__axis_step (gdouble greatest, guint most)
{
    static const gdouble factors[] = { 1, 2, 5, 10 };
    if (!isfinite (greatest) || greatest <= 0 || most == 0)
        return 1;
    gdouble least = greatest / most, power = pow (10, floor (log10 (least)));
    for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        if (factors[i] * power >= least * (1 - 1e-9))
            return factors[i] * power;
    return 10 * power;
}

guint
dg__axis_decimals (gdouble step)
{
    gdouble decimals = -floor (log10 (step) + 1e-9);
    return decimals > 0 ? (guint) MIN (decimals, 6) : 0;
}
