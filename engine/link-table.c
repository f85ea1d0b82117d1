/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/link.h"

#include <stddef.h>
#include <string.h>

#define REVIEWS "measured in published drive reviews, 2011 to 2021"
#define VENDORS "vendors' data and common review results, not checked against one source"
#define BOTH    "published drive reviews, 2011 to 2021; upper figure from vendors' data"

/* low to high: what good drives were seen to reach. After coding: line rate less 8b/10b (USB 5
 * Gb/s, SATA, PCIe 1 and 2), 128b/132b (USB 10 Gb/s a lane) or 128b/130b (PCIe 3 to 5); USB4: its
 * PCIe tunnel; SD and eMMC: the bus rate. */
static const DgLinkRow rows[] = {
    { "usb-12", "USB 1.1 (12 Mb/s)", 12000000, 1500000, 900000, 1200000, VENDORS },
    { "usb-480", "USB 2.0 (480 Mb/s)", 480000000, 60000000, 33000000, 43000000, REVIEWS },
    { "usb-5000-bot", "USB 3.2 Gen 1 (5 Gb/s), BOT", 5000000000, 500000000, 170000000, 250000000,
      BOTH },
    { "usb-5000-uas", "USB 3.2 Gen 1 (5 Gb/s), UAS", 5000000000, 500000000, 400000000, 460000000,
      BOTH },
    { "usb-10000", "USB 3.2 Gen 2 (10 Gb/s)", 10000000000, 1212121212, 950000000, 1060000000,
      BOTH },
    { "usb-20000", "USB 3.2 Gen 2×2 (20 Gb/s)", 20000000000, 2424242424, 1700000000, 2100000000,
      BOTH },
    { "usb-40000", "USB4 (40 Gb/s)", 40000000000, 3900000000, 2700000000, 3800000000, VENDORS },
    { "sata-1500", "SATA 1.5 Gb/s", 1500000000, 150000000, 130000000, 140000000, REVIEWS },
    { "sata-3000", "SATA 3 Gb/s", 3000000000, 300000000, 260000000, 285000000, REVIEWS },
    { "sata-6000", "SATA 6 Gb/s", 6000000000, 600000000, 530000000, 580000000, REVIEWS },
    { "pcie-2-x1", "PCIe 2.0 ×1", 5000000000, 500000000, 350000000, 410000000, REVIEWS },
    { "pcie-3-x1", "PCIe 3.0 ×1", 8000000000, 984615385, 850000000, 900000000, REVIEWS },
    { "pcie-3-x2", "PCIe 3.0 ×2", 16000000000, 1969230770, 1700000000, 1780000000, REVIEWS },
    { "pcie-3-x4", "PCIe 3.0 ×4", 32000000000, 3938461540, 3400000000, 3560000000, REVIEWS },
    { "pcie-4-x2", "PCIe 4.0 ×2", 32000000000, 3938461538, 3400000000, 3560000000, BOTH },
    { "pcie-4-x4", "PCIe 4.0 ×4", 64000000000, 7876923076, 6800000000, 7400000000, BOTH },
    { "pcie-5-x4", "PCIe 5.0 ×4", 128000000000, 15753846152, 12000000000, 14800000000, VENDORS },
    { "sd-104", "SD UHS-I SDR104 (104 MB/s)", 832000000, 104000000, 77000000, 98000000, BOTH },
    { "sd-312", "SD UHS-II (312 MB/s)", 2496000000, 312000000, 250000000, 300000000, VENDORS },
    { "mmc-hs400", "eMMC HS400 (400 MB/s)", 3200000000, 400000000, 250000000, 330000000, VENDORS },
};

const DgLinkRow *
dg_link_table (uint32_t *ret_count)
{
    *ret_count = sizeof rows / sizeof *rows;
    return rows;
}

const DgLinkRow *
dg_link_table_find (const char *key)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp (rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}
