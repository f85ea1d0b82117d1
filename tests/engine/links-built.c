/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/engine/links-built.h"

#include <stdio.h>
#include <string.h>

#define DISK                                                                                       \
    "size=1953525168\nqueue/rotational=0\nqueue/logical_block_size=512\nqueue/"                    \
    "physical_block_size=4096\nqueue/nr_requests=64\n"                                             \
    "queue/scheduler=[mq-deadline] none\nqueue/write_cache=write back\nremovable=0\n"

/* A host controller on the root complex, with a link of its own where `link` says so. */
static void
xhci (Tree *tree, const char *address, const char *link, unsigned bus, const char *speed)
{
    char folder[512], lines[512], target[512];

    snprintf (folder, sizeof folder, "sys/devices/pci0000:00/%s", address);
    tree_attrs (tree, folder,
                "subsystem=->../../../bus/pci\nclass=0x0c0330\ndriver=->../../../bus/pci/drivers/"
                "xhci_hcd\n");
    tree_attrs (tree, folder, link);
    snprintf (folder, sizeof folder, "sys/devices/pci0000:00/%s/usb%u", address, bus);
    snprintf (lines, sizeof lines,
              "subsystem=->../../../../bus/usb\nspeed=%s\nrx_lanes=1\ntx_lanes=1\nproduct=xHCI "
              "Host Controller\n",
              speed);
    tree_attrs (tree, folder, lines);
    snprintf (folder, sizeof folder, "sys/bus/usb/devices/usb%u", bus);
    snprintf (target, sizeof target, "../../../devices/pci0000:00/%s/usb%u", address, bus);
    tree_link (tree, folder, target);
}

/* Device descriptor with bcdUSB, one configuration, one interface of mass storage with this
 * protocol. */
static void
descriptors (Tree *tree, const char *folder, unsigned bcd, unsigned protocol)
{
    unsigned char bytes[] = { 18, 1,    bcd & 255, bcd >> 8, 0, 0, 0, 9,        0,  0, 0,    0,
                              0,  0,    0,         0,        0, 1, 9, 2,        27, 0, 1,    1,
                              0,  0x80, 0,         9,        4, 0, 0, 2,        8,  6, 0x50, 0,
                              9,  4,    0,         1,        4, 8, 6, protocol, 0 };
    char path[512];

    snprintf (path, sizeof path, "%s/descriptors", folder);
    tree_bytes (tree, path, bytes, sizeof bytes);
}

/* BOS with SuperSpeed (5 Gb/s) and SuperSpeedPlus (one sublink pair of 10 Gb/s) capabilities, as a
 * Gen 2 bridge has them. */
static void
bos_gen_2 (Tree *tree, const char *folder)
{
    static const unsigned char bytes[] = { 5,  15,   42,   0,  3, 7,    16,   2,  0x1e, 0xf4, 0,
                                           0,  10,   16,   3,  0, 14,   0,    1,  10,   0xff, 7,
                                           20, 16,   10,   0,  1, 0,    0,    0,  0,    0x11, 0,
                                           0,  0x31, 0x40, 10, 0, 0xb1, 0x40, 10, 0 };
    char path[512];

    snprintf (path, sizeof path, "%s/bos_descriptors", folder);
    tree_bytes (tree, path, bytes, sizeof bytes);
}

/* The disk behind a USB device at `device` (relative to sys/devices, ends in "2-1" or "2-1.4"). */
static void
usb_disk (Tree *tree, const char *device, const char *attrs, const char *driver, const char *disk,
          const char *number, const char *scsi)
{
    const char *name = strrchr (device, '/') + 1;
    char folder[700], path[800], lines[512];

    snprintf (folder, sizeof folder, "sys/devices/%s", device);
    tree_attrs (tree, folder, "subsystem=->../../bus/usb\n");
    tree_attrs (tree, folder, attrs);
    snprintf (folder, sizeof folder, "sys/devices/%s/%s:1.0", device, name);
    snprintf (
        lines, sizeof lines,
        "subsystem=->../../bus/usb\ndriver=->../../bus/usb/drivers/%s\nbInterfaceProtocol=%s\n",
        driver, strcmp (driver, "uas") == 0 ? "62" : "50");
    tree_attrs (tree, folder, lines);
    snprintf (path, sizeof path, "%s/host9/target9:0:0/9:0:0:0", folder);
    tree_attrs (tree, path, "subsystem=->../../bus/scsi\n");
    tree_attrs (tree, path, scsi);
    snprintf (path, sizeof path, "%s/%s:1.0/host9/target9:0:0/9:0:0:0/block/%s", device, name,
              disk);
    tree_block (tree, path, number, DISK);
    snprintf (lines, sizeof lines, "device=->../../../9:0:0:0\n");
    snprintf (folder, sizeof folder, "sys/devices/%.680s", path);
    tree_attrs (tree, folder, lines);
}

static void
usb_10 (Tree *tree)
{
    xhci (tree, "0000:00:14.0", "", 2, "10000");
    usb_disk (tree, "pci0000:00/0000:00:14.0/usb2/2-3",
              "speed=10000\nrx_lanes=1\ntx_lanes=1\nproduct=RTL9210B-CG\nversion= "
              "3.20\nremovable=removable\n",
              "uas", "sda", "8:0",
              "vendor=Realtek\nmodel=RTL9210B NVME\nrev=1.00\nqueue_depth=29\n");
    descriptors (tree, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-3", 0x0320, 0x62);
    bos_gen_2 (tree, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-3");
    tree_udev (tree, "+pci:0000:00:14.0",
               "ID_MODEL_FROM_DATABASE=Alder Lake-P PCH USB 3.2 xHCI Host Controller\n");
    tree_block (tree,
                "pci0000:00/0000:00:14.0/usb2/2-3/2-3:1.0/host9/target9:0:0/9:0:0:0/block/sda/sda1",
                "8:1", "partition=1\nstart=2048\nsize=1953521664\n");
    tree_udev (tree, "b8:1",
               "ID_FS_TYPE=exfat\nID_FS_USAGE=filesystem\nID_FS_LABEL=My_Photos\nID_FS_LABEL_ENC="
               "My\\x20Photos\nID_FS_UUID=1234-ABCD\nID_FS_UUID_ENC=1234-ABCD\n");
    tree_mount (tree, 1, "8:1", "/", "mnt", "rw,nosuid,nodev,relatime", "exfat", "/dev/sda1",
                "rw,uid=1000,iocharset=utf8");
}

static void
usb_20 (Tree *tree)
{
    xhci (tree, "0000:01:00.0",
          "current_link_speed=8.0 GT/s PCIe\ncurrent_link_width=4\nmax_link_speed=8.0 GT/s "
          "PCIe\nmax_link_width=4\n",
          4, "20000");
    usb_disk (tree, "pci0000:00/0000:01:00.0/usb4/4-1",
              "speed=20000\nrx_lanes=2\ntx_lanes=2\nproduct=Extreme Pro 55AF\n", "uas", "sda",
              "8:0", "vendor=SanDisk\nmodel=Extreme Pro 55AF\nrev=1084\nqueue_depth=29\n");
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

/* A 20 Gb/s drive on an add-in card that has a slot of 4 lanes of PCIe 2.0 cut to one. */
static void
usb_20_behind_pcie_2_x1 (Tree *tree)
{
    xhci (tree, "0000:01:00.0",
          "current_link_speed=5.0 GT/s PCIe\ncurrent_link_width=1\nmax_link_speed=8.0 GT/s "
          "PCIe\nmax_link_width=4\n",
          4, "20000");
    usb_disk (tree, "pci0000:00/0000:01:00.0/usb4/4-1",
              "speed=20000\nrx_lanes=2\ntx_lanes=2\nproduct=Extreme Pro 55AF\n", "uas", "sda",
              "8:0", "vendor=SanDisk\nmodel=Extreme Pro 55AF\nrev=1084\nqueue_depth=29\n");
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

static void
usb_40 (Tree *tree)
{
    xhci (tree, "0000:00:0d.0", "", 3, "40000");
    usb_disk (tree, "pci0000:00/0000:00:0d.0/usb3/3-1",
              "speed=40000\nrx_lanes=2\ntx_lanes=2\nproduct=USB4 SSD\n", "uas", "sda", "8:0",
              "vendor=ASMT\nmodel=ASM2464PD\nrev=0100\nqueue_depth=29\n");
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

/* A Gen 2 drive runs at 480 Mb/s behind a USB 2 hub, though the machine has 10 Gb/s ports; a second
 * drive shares the hub. */
static void
gen_2_behind_usb_2_hub (Tree *tree)
{
    const char *hub = "pci0000:00/0000:00:14.0/usb1/1-5";
    char device[200], folder[300];

    xhci (tree, "0000:00:14.0", "", 1, "480");
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:14.0/usb2",
                "subsystem=->../../../../bus/usb\nspeed=10000\n");
    tree_link (tree, "sys/bus/usb/devices/usb2", "../../../devices/pci0000:00/0000:00:14.0/usb2");
    snprintf (folder, sizeof folder, "sys/devices/%s", hub);
    tree_attrs (tree, folder,
                "subsystem=->../../bus/usb\nspeed=480\nrx_lanes=1\ntx_lanes=1\nproduct=USB2.0 "
                "Hub\nversion= 2.00\n");
    snprintf (device, sizeof device, "%s/1-5.2", hub);
    usb_disk (tree, device, "speed=480\nrx_lanes=1\ntx_lanes=1\nproduct=PSSD T7\nversion= 2.10\n",
              "uas", "sda", "8:0", "vendor=Samsung\nmodel=PSSD T7\nrev=0\nqueue_depth=29\n");
    snprintf (folder, sizeof folder, "sys/devices/%s", device);
    descriptors (tree, folder, 0x0210, 0x62);
    bos_gen_2 (tree, folder);
    snprintf (device, sizeof device, "%s/1-5.4", hub);
    usb_disk (tree, device, "speed=480\nrx_lanes=1\ntx_lanes=1\nproduct=Ultra Fit\nversion= 2.10\n",
              "usb-storage", "sdb", "8:16",
              "vendor=SanDisk\nmodel=Ultra Fit\nrev=1.00\nqueue_depth=1\n");
    snprintf (folder, sizeof folder, "sys/devices/%s", device);
    descriptors (tree, folder, 0x0210, 0x50);
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

/* Offers UAS, runs BOT at 5 Gb/s. */
static void
bot_though_uas_offered (Tree *tree)
{
    xhci (tree, "0000:00:14.0", "", 2, "5000");
    usb_disk (tree, "pci0000:00/0000:00:14.0/usb2/2-1",
              "speed=5000\nrx_lanes=1\ntx_lanes=1\nproduct=ASM1153E\n", "usb-storage", "sda", "8:0",
              "vendor=ASMT\nmodel=2115\nrev=0\nqueue_depth=1\n");
    descriptors (tree, "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1", 0x0300, 0x62);
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

/* Two slots of one USB reader; the second is empty. */
static void
sd_in_usb_reader (Tree *tree)
{
    const char *device = "pci0000:00/0000:00:14.0/usb2/2-6",
               *second = "pci0000:00/0000:00:14.0/usb2/2-6/2-6:1.0/host9/target9:0:0/9:0:0:1";
    char path[400];

    xhci (tree, "0000:00:14.0", "", 2, "10000");
    usb_disk (tree, device,
              "speed=5000\nrx_lanes=1\ntx_lanes=1\nproduct=USB3.0 Card "
              "Reader\nremovable=fixed\nserial=20120501030900000\n",
              "usb-storage", "sdb", "8:16",
              "vendor=Generic\nmodel=SD/MMC\nrev=1.00\nqueue_depth=1\n");
    tree_attrs (
        tree,
        "sys/devices/pci0000:00/0000:00:14.0/usb2/2-6/2-6:1.0/host9/target9:0:0/9:0:0:0/block/sdb",
        "removable=1\nqueue/rotational=1\n");
    snprintf (path, sizeof path, "%s/block/sdc", second);
    tree_block (tree, path, "8:32",
                "size=0\nremovable=1\nqueue/rotational=1\ndevice=->../../../9:0:0:1\n");
    snprintf (path, sizeof path, "sys/devices/%s", second);
    tree_attrs (tree, path,
                "subsystem=->../../bus/scsi\nvendor=Generic\nmodel=Micro SD\nrev=1.00\n");
    tree_mount (tree, 1, "8:16", "/", "mnt", "rw,relatime", "vfat", "/dev/sdb", "rw");
}

static void
pci (Tree *tree, const char *path, const char *class, const char *current, unsigned width,
     const char *max, unsigned max_width)
{
    char folder[800], lines[512];

    snprintf (folder, sizeof folder, "sys/devices/%.680s", path);
    snprintf (lines, sizeof lines,
              "subsystem=->../../bus/"
              "pci\nclass=%s\ncurrent_link_speed=%s\ncurrent_link_width=%u\nmax_link_speed=%s\nmax_"
              "link_width=%u\n",
              class, current, width, max, max_width);
    tree_attrs (tree, folder, lines);
}

static void
nvme_disk (Tree *tree, const char *pci_path)
{
    char path[512];

    snprintf (path, sizeof path, "sys/devices/%s/nvme/nvme0", pci_path);
    tree_attrs (tree, path,
                "subsystem=->../../class/nvme\ntransport=pcie\nmodel=Samsung SSD 980 PRO 1TB       "
                "         \nserial=S5GXNX0R123456A     \nfirmware_rev=5B2QGXA7\n");
    snprintf (path, sizeof path, "%s/nvme/nvme0/nvme0n1", pci_path);
    tree_block (tree, path, "259:0", DISK "device=->../../nvme0\n");
    tree_mount (tree, 1, "259:0", "/", "mnt", "rw,relatime", "ext4", "/dev/nvme0n1", "rw");
}

/* The link at the drive is PCIe 4.0 ×4, but the switch that it is behind hangs on 3.0 ×2. */
static void
pcie_4_behind_3_x2_bridge (Tree *tree)
{
    pci (tree, "pci0000:00/0000:00:1c.0", "0x060400", "8.0 GT/s PCIe", 2, "16.0 GT/s PCIe", 8);
    pci (tree, "pci0000:00/0000:00:1c.0/0000:01:00.0", "0x060400", "8.0 GT/s PCIe", 2,
         "8.0 GT/s PCIe", 4);
    pci (tree, "pci0000:00/0000:00:1c.0/0000:01:00.0/0000:02:01.0", "0x060400", "16.0 GT/s PCIe", 4,
         "16.0 GT/s PCIe", 4);
    pci (tree, "pci0000:00/0000:00:1c.0/0000:01:00.0/0000:02:01.0/0000:03:00.0", "0x010802",
         "16.0 GT/s PCIe", 4, "16.0 GT/s PCIe", 4);
    tree_udev (tree, "+pci:0000:01:00.0",
               "ID_MODEL_FROM_DATABASE=ASM2824 PCIe Gen3 Packet Switch\n");
    nvme_disk (tree, "pci0000:00/0000:00:1c.0/0000:01:00.0/0000:02:01.0/0000:03:00.0");
}

/* Runs at half its generation although drive and port could do better: a bad contact or riser. */
static void
pcie_slower_than_both_ends (Tree *tree)
{
    pci (tree, "pci0000:00/0000:00:01.1", "0x060400", "8.0 GT/s PCIe", 4, "16.0 GT/s PCIe", 4);
    pci (tree, "pci0000:00/0000:00:01.1/0000:01:00.0", "0x010802", "8.0 GT/s PCIe", 4,
         "32.0 GT/s PCIe", 4);
    nvme_disk (tree, "pci0000:00/0000:00:01.1/0000:01:00.0");
}

/* In an enclosure on Thunderbolt; the kernel says that the way there can be unplugged. Behind
 * Intel's VMD domain the addresses have another number, and the real root port is not above. */
static void
nvme_external_in_vmd (Tree *tree)
{
    pci (tree, "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0", "0x060400", "8.0 GT/s PCIe", 4,
         "8.0 GT/s PCIe", 4);
    pci (tree, "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0", "0x010802",
         "8.0 GT/s PCIe", 4, "8.0 GT/s PCIe", 4);
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0",
                "removable=removable\n");
    nvme_disk (tree, "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0");
}

/* In an enclosure with a switch of its own. The tunnel's two ends say 2.5 GT/s, the root port ×1
 * even; only what is behind the switch is a real link. */
static void
nvme_in_thunderbolt_enclosure (Tree *tree)
{
    const char *root = "pci0000:00/0000:00:07.0", *up = "pci0000:00/0000:00:07.0/0000:2b:00.0",
               *down = "pci0000:00/0000:00:07.0/0000:2b:00.0/0000:2c:01.0",
               *disk = "pci0000:00/0000:00:07.0/0000:2b:00.0/0000:2c:01.0/0000:2d:00.0";
    const char *removable[] = { up, down, disk };
    char path[512];

    pci (tree, root, "0x060400", "2.5 GT/s PCIe", 1, "2.5 GT/s PCIe", 1);
    pci (tree, up, "0x060400", "2.5 GT/s PCIe", 4, "2.5 GT/s PCIe", 4);
    pci (tree, down, "0x060400", "8.0 GT/s PCIe", 4, "8.0 GT/s PCIe", 4);
    pci (tree, disk, "0x010802", "8.0 GT/s PCIe", 4, "16.0 GT/s PCIe", 4);
    for (unsigned i = 0; i < 3; i++) {
        snprintf (path, sizeof path, "sys/devices/%s", removable[i]);
        tree_attrs (tree, path, "removable=removable\n");
    }
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:07.0", "removable=fixed\n");
    tree_udev (tree, "+pci:0000:2b:00.0",
               "ID_MODEL_FROM_DATABASE=JHL7540 Thunderbolt 3 Bridge [Titan Ridge 2C 2018]\n");
    nvme_disk (tree, disk);
}

/* The same without a switch: the drive's own link is the tunnel. */
static void
nvme_at_the_tunnel (Tree *tree)
{
    const char *disk = "pci0000:00/0000:00:07.0/0000:2b:00.0";

    pci (tree, "pci0000:00/0000:00:07.0", "0x060400", "2.5 GT/s PCIe", 4, "2.5 GT/s PCIe", 4);
    pci (tree, disk, "0x010802", "2.5 GT/s PCIe", 4, "16.0 GT/s PCIe", 4);
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:07.0/0000:2b:00.0", "removable=removable\n");
    nvme_disk (tree, disk);
}

/* With native multipath the namespace is below a virtual subsystem, its path is hidden. */
static void
nvme_multipath (Tree *tree)
{
    const char *controller = "pci0000:00/0000:00:1d.0/0000:04:00.0";
    char path[512];

    pci (tree, "pci0000:00/0000:00:1d.0", "0x060400", "8.0 GT/s PCIe", 4, "8.0 GT/s PCIe", 4);
    pci (tree, controller, "0x010802", "8.0 GT/s PCIe", 4, "8.0 GT/s PCIe", 4);
    snprintf (path, sizeof path, "sys/devices/%s/nvme/nvme0", controller);
    tree_attrs (tree, path, "subsystem=->../../class/nvme\ntransport=pcie\n");
    snprintf (path, sizeof path, "%s/nvme/nvme0/nvme0c0n1", controller);
    tree_block (tree, path, "259:0", "hidden=1\n");
    tree_block (tree, "virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "259:1",
                DISK "device=->../../nvme-subsys0\nhidden=0\n");
    tree_attrs (tree, "sys/devices/virtual/nvme-subsystem/nvme-subsys0",
                "model=WD_BLACK SN770 1TB\nserial=21234567\nfirmware_rev=731030WD\n");
    tree_link (tree, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0",
               "../../../pci0000:00/0000:00:1d.0/0000:04:00.0/nvme/nvme0");
    tree_mount (tree, 1, "259:1", "/", "mnt", "rw,relatime", "ext4", "/dev/nvme0n1", "rw");
}

static void
put_swapped (unsigned char *to, const char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        to[i ^ 1] = i < strlen (text) ? (unsigned char) text[i] : ' ';
}

static void
sata_disk (Tree *tree, unsigned number, const char *speed, const char *limit, unsigned capabilities)
{
    unsigned char page[572] = { 0, 0x89, 2, 0x38 };
    char path[512], port[200];

    tree_attrs (
        tree, "sys/devices/pci0000:00/0000:00:17.0",
        "subsystem=->../../../bus/pci\nclass=0x010601\ndriver=->../../bus/pci/drivers/ahci\n");
    snprintf (port, sizeof port, "pci0000:00/0000:00:17.0/ata%u", number);
    snprintf (path, sizeof path, "sys/devices/%s/link%u/ata_link/link%u", port, number, number);
    tree_attrs (tree, path, speed);
    tree_attrs (tree, path, limit);
    put_swapped (page + 60 + 20, "S3Z1NB0K123456", 20);
    put_swapped (page + 60 + 46, "RVT24B6Q", 8);
    put_swapped (page + 60 + 54, "Samsung SSD 860 EVO 500GB", 40);
    page[60 + 152] = (unsigned char) capabilities;
    snprintf (path, sizeof path, "sys/devices/%s/host1/target1:0:0/1:0:0:0", port);
    tree_attrs (tree, path,
                "subsystem=->../../bus/scsi\nvendor=ATA     \nmodel=Samsung SSD 860 "
                "\nrev=4B6Q\nqueue_depth=32\n");
    snprintf (path, sizeof path, "sys/devices/%s/host1/target1:0:0/1:0:0:0/vpd_pg89", port);
    tree_bytes (tree, path, page, sizeof page);
    snprintf (path, sizeof path, "%s/host1/target1:0:0/1:0:0:0/block/sda", port);
    tree_block (tree, path, "8:0", DISK "device=->../../../1:0:0:0\n");
    snprintf (path, sizeof path, "sys/class/ata_link/link%u", number);
    snprintf (port, sizeof port,
              "../../devices/pci0000:00/0000:00:17.0/ata%u/link%u/ata_link/link%u", number, number,
              number);
    tree_link (tree, path, port);
    tree_mount (tree, 1, "8:0", "/", "mnt", "rw,relatime", "ext4", "/dev/sda", "rw");
}

/* No port of this machine is faster: there is nothing better to plug it into. */
static void
sata_6_on_3_port (Tree *tree)
{
    sata_disk (tree, 2, "sata_spd=3.0 Gbps\n",
               "hw_sata_spd_limit=3.0 Gbps\nsata_spd_limit=3.0 Gbps\n", 0x0e);
}

static void
sata_6_on_3_port_of_two (Tree *tree)
{
    sata_disk (tree, 2, "sata_spd=3.0 Gbps\n",
               "hw_sata_spd_limit=3.0 Gbps\nsata_spd_limit=3.0 Gbps\n", 0x0e);
    tree_attrs (tree, "sys/class/ata_link/link1",
                "hw_sata_spd_limit=6.0 Gbps\nsata_spd=<unknown>\n");
}

static void
emmc_hs400 (Tree *tree)
{
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:1a.0",
                "subsystem=->../../../bus/pci\nclass=0x080501\n");
    tree_attrs (tree, "sys/devices/pci0000:00/0000:00:1a.0/mmc_host/mmc0",
                "subsystem=->../../class/mmc_host\n");
    tree_attrs (
        tree, "sys/devices/pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:0001",
        "subsystem=->../../bus/mmc\ntype=MMC\nname=DF4064\nfwrev=0x4142\nserial=0x12345678\n");
    tree_block (tree, "pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "179:0",
                DISK "device=->../../../mmc0:0001\n");
    tree_block (tree, "pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0/mmcblk0boot0",
                "179:8", "size=8192\n");
    tree_file (tree, "sys/kernel/debug/mmc0/ios",
               "clock:\t\t200000000 Hz\nbus width:\t3 (8 bits)\ntiming spec:\t10 (mmc HS400 "
               "enhanced strobe)\n");
    tree_mount (tree, 1, "179:0", "/", "mnt", "rw,relatime", "ext4", "/dev/mmcblk0", "rw");
}

const Built built[] = {
    { "built-usb-10", usb_10 },
    { "built-usb-20", usb_20 },
    { "built-usb-20-behind-pcie-2-x1", usb_20_behind_pcie_2_x1 },
    { "built-usb-40", usb_40 },
    { "built-gen-2-behind-usb-2-hub", gen_2_behind_usb_2_hub },
    { "built-bot-though-uas-offered", bot_though_uas_offered },
    { "built-sd-in-usb-reader", sd_in_usb_reader },
    { "built-pcie-4-behind-3-x2-bridge", pcie_4_behind_3_x2_bridge },
    { "built-pcie-slower-than-both-ends", pcie_slower_than_both_ends },
    { "built-nvme-external-in-vmd", nvme_external_in_vmd },
    { "built-nvme-in-thunderbolt-enclosure", nvme_in_thunderbolt_enclosure },
    { "built-nvme-at-the-tunnel", nvme_at_the_tunnel },
    { "built-nvme-multipath", nvme_multipath },
    { "built-sata-6-on-3-port", sata_6_on_3_port },
    { "built-sata-6-on-3-port-of-two", sata_6_on_3_port_of_two },
    { "built-emmc-hs400", emmc_hs400 },
};
const unsigned n_built = sizeof built / sizeof *built;
