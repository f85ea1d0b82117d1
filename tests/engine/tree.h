/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds trees of sysfs, proc, run and dev below a temporary folder, for the drive and target
 * tests. Any failure ends the test. */
#pragma once

#include "engine/targets.h"

typedef struct {
    char root[256];
    char sysfs[300], proc[300], run[300], dev[300], sandbox_info[300];
    DgRoots roots;
    unsigned n_mounts;
} Tree;

void tree_init (Tree *tree);
void tree_done (Tree *tree);

/* Paths are relative to the root; folders above are made. */
void tree_folder (Tree *tree, const char *path);
void tree_file (Tree *tree, const char *path, const char *text);
void tree_bytes (Tree *tree, const char *path, const void *bytes, size_t size);
void tree_link (Tree *tree, const char *path, const char *target);
void tree_remove (Tree *tree, const char *path);

/* "name=value" lines become files in the folder; a value that starts with "->" becomes a link. */
void tree_attrs (Tree *tree, const char *folder, const char *lines);

/* A block device at sys/devices/PATH with its links in dev/block and class/block; PATH ends in its
 * name. */
void tree_block (Tree *tree, const char *path, const char *number, const char *lines);

/* name below name: a slave of a stacked device. */
void tree_slave (Tree *tree, const char *path, const char *slave);

/* udev's record of a device, "KEY=VALUE" lines. */
void tree_udev (Tree *tree, const char *id, const char *lines);

/* One line of mountinfo; ids count from 100. `point` starting with '/' is taken as it is, else it
 * is below the root and made. */
unsigned tree_mount (Tree *tree, unsigned parent, const char *number, const char *root,
                     const char *point, const char *options, const char *type, const char *source,
                     const char *super_options);

/* The drives recorded in fixtures/. */
extern const char *const tree_recorded[];
extern const unsigned tree_n_recorded;

/* Unpacks a recorded drive, mounts it at mnt. False if there is no tar or xz. */
bool tree_fixture (Tree *tree, const char *folder, const char *name);

/* Everything in a list that does not differ between machines, as lines. Paths below the root start
 * with "%". (owned) */
char *tree_record (const Tree *tree, const DgTargetList *list);
