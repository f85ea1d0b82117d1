/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives, links and targets from answers that are brought along. */
#include "tests/engine/check.h"
#include "tests/windows/fake-system.h"

#include "engine/windows/targets.h"

#include <stddef.h>
#include <winioctl.h>

static DgWinQueries q;

static bool
is (const char *text, const char *wanted)
{
    if (wanted == NULL || text == NULL)
        return wanted == text;
    if (strcmp (text, wanted) != 0)
        printf ("# \"%s\" instead of \"%s\"\n", text, wanted);
    return strcmp (text, wanted) == 0;
}

static DgTargetList *
list (void)
{
    DgTargetList *found = NULL;
    CHECK_U64 (dg__win_targets_list (&q, &found), DG_OK);
    return found;
}

static void
everything_listed (void)
{
    q = fake_system_new ();
    DgTargetList *l = list ();
    CHECK_U64 (l->n_drives, 2);
    CHECK_U64 (l->n_targets, 4);
    CHECK (is (l->drives[0].name, "PhysicalDrive0") && is (l->drives[0].model, "Samsung SSD 980")
           && l->drives[0].vendor == NULL);
    CHECK (is (l->drives[0].serial, "S5GX") && is (l->drives[0].write_cache, "write back")
           && l->drives[0].rotational == 0);
    CHECK (is (l->drives[1].vendor, "Samsung") && is (l->drives[1].model, "PSSD T7")
           && is (l->drives[1].serial, "S6TWNS?"));
    CHECK (l->drives[1].write_cache == NULL && l->drives[1].rotational == -1
           && l->drives[1].is_external && !l->drives[0].is_external);
    CHECK_U64 (l->drives[1].size_bytes, 1000204886016);
    CHECK_U64 (l->drives[1].physical_block_bytes, 4096);

    const DgTarget *c = &l->targets[0], *nameless = &l->targets[1], *e = &l->targets[2],
                   *n = &l->targets[3];
    CHECK (is (c->mount, "C:\\") && is (c->folder, "C:\\Users\\me") && c->is_home && c->is_encrypted
           && c->n_layers == 1 && is (c->layers[0], "BitLocker"));
    CHECK_U64 (c->use, DG_TARGET_USABLE);
    CHECK (nameless->mount == NULL && nameless->use == DG_TARGET_NOT_MOUNTED
           && nameless->n_drives == 1);
    CHECK (is (e->label, "Größe") && is (e->filesystem, "exFAT") && is (e->uuid, "6E3F-1D2C")
           && is (e->options, "quick removal"));
    CHECK_U64 (e->partition_start_bytes, 1048576);
    CHECK (e->n_drives == 1 && e->drives[0] == 1 && !e->is_encrypted
           && l->drives[1].is_encrypted == -1 && l->drives[0].is_encrypted == 1);
    CHECK (is (n->mount, "N:\\") && n->fs_kind == DG_FS_NETWORK && n->n_drives == 0);
    CHECK_U64 (dg_targets_default (l), 2); /* what is plugged in */
    dg_targets_free (l);
}

static void
what_a_drive_is (void)
{
    static const struct {
        int cache_enabled, cache_type;
        bool is_hard_disk, is_better_performance;
        const char *write_cache, *policy;
    } rows[] = {
        { WriteCacheEnabled, WriteCacheTypeWriteBack, true, true, "write back",
          "better performance" },
        { WriteCacheEnabled, WriteCacheTypeUnknown, false, false, "write back", "quick removal" },
        { WriteCacheEnabled, WriteCacheTypeWriteThrough, false, true, "write through",
          "better performance" },
        { WriteCacheDisabled, WriteCacheTypeUnknown, false, false, "write through",
          "quick removal" },
        { WriteCacheEnableUnknown, WriteCacheTypeUnknown, true, false, NULL, "quick removal" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        q = fake_system_new ();
        fake_system.cache_enabled = rows[i].cache_enabled;
        fake_system.cache_type = rows[i].cache_type;
        fake_system.is_hard_disk = rows[i].is_hard_disk;
        fake_system.is_better_performance = rows[i].is_better_performance;
        DgTargetList *l = list ();
        CHECK (is (l->drives[0].write_cache, rows[i].write_cache));
        CHECK_U64 (l->drives[0].rotational, rows[i].is_hard_disk);
        CHECK (is (l->targets[2].options, rows[i].policy));
        CHECK (l->targets[0].options == NULL); /* built in: there is no policy */
        dg_targets_free (l);
    }
}

static void
usb_links (void)
{
    static const struct {
        const wchar_t *driver;
        ULONG flags, old, lane, lanes;
        bool has_plus, is_usb3_socket, is_other_hub;
        const char *name, *best;
        uint64_t speed, low;
    } rows[] = {
        { L"UASPStor", 0xF, 3, 10u << 16 | 3u << 4, 0, true, false, false,
          "USB 3.2 Gen 2 (10 Gb/s), UAS", NULL, 10000000000, 0 },
        { L"UASPStor", 0xF, 3, 10u << 16 | 3u << 4, 1, true, false, false,
          "USB 3.2 Gen 2×2 (20 Gb/s), UAS", NULL, 20000000000, 0 },
        { L"UASPStor", 0xF, 3, 10000u << 16 | 2u << 4, 0, true, false, false,
          "USB 3.2 Gen 2 (10 Gb/s), UAS", NULL, 10000000000, 0 },
        /* 10 or 20: not guessed */
        { L"UASPStor", 0xF, 3, 0, 0, false, false, false, NULL, NULL, 0, 0 },
        { L"USBSTOR", 0x3, 3, 0, 0, false, false, false, "USB 3.2 Gen 1 (5 Gb/s), BOT", NULL,
          5000000000, 170000000 },
        /* A drive for 10 Gb/s at a USB 2 hub, in a USB 3 socket of this hub, and of another's. */
        { L"UASPStor", 0xA, 2, 0, 0, false, false, false, "USB 2.0 (480 Mb/s), UAS", NULL,
          480000000, 33000000 },
        { L"USBSTOR", 0x2, 2, 0, 0, false, true, false, "USB 2.0 (480 Mb/s), BOT",
          "USB 3.2 Gen 1 (5 Gb/s)", 480000000, 33000000 },
        { L"USBSTOR", 0x2, 2, 0, 0, false, true, true, "USB 2.0 (480 Mb/s), BOT",
          "USB 3.2 Gen 1 (5 Gb/s)", 480000000, 33000000 },
        { L"USBSTOR", 0x0, 2, 0, 0, false, true, false, "USB 2.0 (480 Mb/s), BOT", NULL, 480000000,
          33000000 },
        { L"USBSTOR", 0x0, 1, 0, 0, false, false, false, "USB 1.1 (12 Mb/s), BOT", NULL, 12000000,
          900000 },
        { L"unheard-of", 0x3, 3, 0, 0, false, false, false, "USB 3.2 Gen 1 (5 Gb/s)", NULL,
          5000000000, 400000000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        q = fake_system_new ();
        fake_system.usb_driver = rows[i].driver;
        fake_system.usb_flags = rows[i].flags;
        fake_system.usb_old_speed = rows[i].old;
        fake_system.usb_lane_speed = rows[i].lane;
        fake_system.usb_lanes_less_one = rows[i].lanes;
        fake_system.has_plus = rows[i].has_plus;
        fake_system.is_usb3_socket = rows[i].is_usb3_socket;
        fake_system.is_other_hub = rows[i].is_other_hub;
        DgTargetList *l = list ();
        const DgLink *link = l->drives[1].link;
        CHECK (link->kind == DG_LINK_USB && is (link->name, rows[i].name)
               && is (link->best_name, rows[i].best));
        CHECK_U64 (link->speed_bits_per_s, rows[i].speed);
        if (rows[i].low != 0)
            CHECK_U64 (link->practical_low_bytes_per_s, rows[i].low);
        CHECK_U64 (link->n_path, 4); /* drive, hub, port, controller */
        CHECK (is (link->path[1].name, "USB3.1 Hub") && link->path[1].kind == DG_NODE_HUB
               && link->path[1].up_bits_per_s == 5000000000);
        CHECK (is (link->path[2].name, "Port 5")
               && is (link->path[3].name, "USB xHCI Compliant Host Controller"));
        if (rows[i].speed > 5000000000) /* the hub is the narrow place */
            CHECK (link->path[1].is_narrowest && link->narrowest_bits_per_s == 5000000000);
        dg_targets_free (l);
    }
}

static void
nvme_link (void)
{
    q = fake_system_new ();
    DgTargetList *l = list ();
    const DgLink *link = l->drives[0].link;
    CHECK (link->kind == DG_LINK_PCIE && is (link->name, "PCIe 4.0 ×4")
           && is (link->protocol, "nvme"));
    CHECK_U64 (link->lanes, 4);
    CHECK_U64 (link->speed_bits_per_s, 64000000000);
    CHECK_U64 (link->n_path, 3); /* drive, switch, root port */
    CHECK (link->path[1].kind == DG_NODE_BRIDGE && is (link->path[1].up_name, "PCIe 3.0 ×2")
           && link->path[1].is_narrowest);
    CHECK (is (link->path[1].up_max_name, "PCIe 3.0 ×4"));
    CHECK_U64 (link->practical_low_bytes_per_s, 1700000000);
    dg_targets_free (l);
    fake_system.nvme_width = 77; /* nonsense is unknown */
    l = list ();
    CHECK_U64 (l->drives[0].link->path[1].up_bits_per_s, 0);
    CHECK_U64 (l->drives[0].link->narrowest_bits_per_s, 64000000000);
    dg_targets_free (l);
}

static void
other_buses (void)
{
    static const struct {
        STORAGE_BUS_TYPE bus;
        const wchar_t *driver;
        DgLinkKind kind;
        const char *name, *protocol;
        bool is_virtual;
    } rows[] = { { BusTypeSata, L"storahci", DG_LINK_SATA, "SATA", "ahci", false },
                 { BusTypeSata, L"iaStorAC", DG_LINK_SATA, "SATA", NULL, false },
                 { BusTypeAta, L"storahci", DG_LINK_SATA, "SATA", "ahci", false },
                 { BusTypeAta, L"intelide", DG_LINK_UNKNOWN, NULL, NULL, false },
                 { BusTypeRAID, L"iaStorVD", DG_LINK_UNKNOWN, NULL, NULL, false },
                 { BusTypeSd, L"sdbus", DG_LINK_SD, "SD", NULL, false },
                 { BusTypeMmc, L"sdbus", DG_LINK_MMC, "eMMC", "mmc", false },
                 { BusTypeScsi, L"vioscsi", DG_LINK_VIRTIO, "virtio", "virtio-scsi", false },
                 { BusTypeFileBackedVirtual, L"vhdmp", DG_LINK_VIRTUAL, NULL, NULL, true },
                 { (STORAGE_BUS_TYPE) 0x10, L"spaceport", DG_LINK_VIRTUAL, NULL, NULL, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        q = fake_system_new ();
        fake_system.inner_bus = rows[i].bus;
        fake_system.inner_driver = rows[i].driver;
        DgTargetList *l = list ();
        const DgDrive *drive = &l->drives[0];
        CHECK_U64 (drive->link->kind, rows[i].kind);
        CHECK (is (drive->link->name, rows[i].name) && is (drive->link->protocol, rows[i].protocol)
               && drive->is_virtual == rows[i].is_virtual);
        CHECK_U64 (drive->link->speed_bits_per_s, 0);
        dg_targets_free (l);
    }
}

static void
one_found (void)
{
    static const struct {
        const char *path;
        bool is_locked, is_full;
        int code;
    } rows[] = { { "E:\\x", false, false, DG_OK },
                 { "E:\\file", false, false, DG_ERROR_NOT_DIRECTORY },
                 { "E:\\none", false, false, DG_ERROR_NOT_FOUND },
                 { "E:\\x", true, false, DG_ERROR_READ_ONLY },
                 { "E:\\x", false, true, DG_ERROR_NO_SPACE } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        q = fake_system_new ();
        fake_system.is_locked = rows[i].is_locked;
        fake_system.is_full = rows[i].is_full;
        DgTargetList *l = NULL;
        DgErrorDetail detail = { 0 };
        CHECK_U64 (-dg__win_targets_find (&q, rows[i].path, &l, &detail), -rows[i].code);
        CHECK ((l == NULL) == (rows[i].code == DG_ERROR_NOT_FOUND));
        if (l != NULL) {
            CHECK (l->n_targets == 1 && l->n_drives == 1 && is (l->drives[0].model, "PSSD T7")
                   && is (l->targets[0].folder, rows[i].path));
            CHECK (l->targets[0].drives[0] == 0);
        }
        dg_targets_free (l);
    }
}

static void
no_answer (void)
{
    q = fake_system_new ();
    fake_system.is_slow = true;
    uint64_t start = GetTickCount64 ();
    DgTargetList *l = list ();
    uint64_t took = GetTickCount64 () - start;
    CHECK (took >= 1900 && took < 2900);
    CHECK_U64 (l->targets[3].use, DG_TARGET_NO_ANSWER);
    CHECK_U64 (l->targets[2].use, DG_TARGET_USABLE);
    dg_targets_free (l);
    Sleep (2000); /* the thread left behind ends by itself */
}

/* The shell, which tells of BitLocker, is no reason to leave a drive out. */
static void
shell_does_not_answer (void)
{
    q = fake_system_new ();
    fake_system.is_shell_slow = true;
    uint64_t start = GetTickCount64 ();
    DgTargetList *l = list ();
    uint64_t took = GetTickCount64 () - start;
    CHECK (took >= 1900 && took < 2900);
    CHECK_U64 (l->targets[0].use, DG_TARGET_USABLE);
    CHECK (is (l->targets[0].folder, "C:\\Users\\me") && is (l->targets[0].filesystem, "NTFS"));
    CHECK (!l->targets[0].is_encrypted && l->drives[0].is_encrypted == -1);
    CHECK_U64 (l->targets[3].use, DG_TARGET_USABLE);
    dg_targets_free (l);
    Sleep (2000);
}

/* Nothing is taken from behind the end of an answer. */
static void
answers_cut_off (void)
{
    q = fake_system_new ();
    fake_system.is_cut_off = true;
    DgTargetList *l = list ();
    CHECK_U64 (l->n_drives, 2);
    CHECK_U64 (l->n_targets, 6); /* the volumes, and the two drives of which nobody knows */
    for (uint32_t i = 0; i < l->n_targets; i++) {
        CHECK_U64 (l->targets[i].partition_start_bytes, UINT64_MAX);
        CHECK (l->targets[i].n_drives
               == (l->targets[i].source == NULL && l->targets[i].mount == NULL));
    }
    dg_targets_free (l);
}

int
main (int argc, char **argv)
{
    static const Case cases[] = { { "drives, volumes with and without a letter, a share",
                                    everything_listed },
                                  { "seek penalty, write cache, removal policy", what_a_drive_is },
                                  { "USB: speed, protocol, hub, what would be better", usb_links },
                                  { "NVMe behind a switch", nvme_link },
                                  { "other buses: no more is said than is told", other_buses },
                                  { "the target of a path, and why not", one_found },
                                  { "answers that are cut off", answers_cut_off },
                                  { "a share that does not answer", no_answer },
                                  { "a shell that does not answer", shell_does_not_answer } };
    return run_cases (cases, sizeof cases / sizeof *cases, argc, argv);
}
