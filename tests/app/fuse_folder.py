#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file system in memory with one folder, served by this program over /dev/fuse, and as bad as wanted.

fuse_folder.py FOLDER [WORD...]: mounts itself on FOLDER (a mount namespace of one's own will do) and serves until FOLDER is unmounted. Words:
  refuse-open      an open with O_DIRECT is refused
  refuse-transfer  O_DIRECT is taken at open and refused at the transfer
  delay=SECONDS    each write takes that long
  slow=SECONDS     each question about the folder or its space takes that long
  holds=BYTES      the space is over after so many, whatever statfs says
Protocol: linux/fuse.h, version 7.31."""
import ctypes
import errno
import os
import stat
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, UNLINK, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR, CREATE, \
    INTERRUPT, DESTROY, BATCH_FORGET = 1, 2, 3, 4, 10, 14, 15, 16, 17, 18, 20, 25, 26, 27, 28, 29, 30, 35, 36, 38, 42
ASYNC_READ, BIG_WRITES, ASYNC_DIO = 1 << 0, 1 << 5, 1 << 15
SET_SIZE = 1 << 3
ROOT, MOST_WRITE, BLOCK, BLOCKS = 1, 128 << 10, 4096, 2 << 20 # 8 GiB


class Folder:
    def __init__(self, words):
        self.refuses_open, self.refuses_transfer = 'refuse-open' in words, 'refuse-transfer' in words
        values = dict(word.split('=') for word in words if '=' in word)
        self.delay_s, self.slow_s, self.holds_bytes = float(values.get('delay', 0)), float(values.get('slow', 0)), int(values.get('holds', 1 << 62))
        self.nodes, self.names, self.next = {}, {}, ROOT + 1

    def attributes(self, node):
        data = self.nodes.get(node, b'')
        mode = stat.S_IFDIR | 0o755 if node == ROOT else stat.S_IFREG | 0o600
        return struct.pack('<6Q10I', node, len(data), (len(data) + 511) // 512, 0, 0, 0, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, BLOCK, 0)

    def entry(self, node):
        return struct.pack('<4Q2I', node, 0, 0, 0, 0, 0) + self.attributes(node)

    def check_open(self, flags):
        if self.refuses_open and flags & os.O_DIRECT:
            raise OSError(errno.EINVAL, '')

    def check_transfer(self, flags):
        if self.refuses_transfer and flags & os.O_DIRECT:
            raise OSError(errno.EINVAL, '')

    def free_blocks(self):
        return BLOCKS - sum(len(data) for data in self.nodes.values()) // BLOCK

    def write(self, node, body):
        offset, size, flags = struct.unpack_from('<8xQI4x8xI', body)
        self.check_transfer(flags)
        data = self.nodes[node]
        if offset + size > self.holds_bytes:
            raise OSError(errno.ENOSPC, '')
        time.sleep(self.delay_s)
        if len(data) < offset + size:
            data.extend(bytes(offset + size - len(data)))
        data[offset:offset + size] = body[40:40 + size]
        return struct.pack('<2I', size, 0)

    def listing(self, body):
        offset, size = struct.unpack_from('<8xQI', body)
        out = b''
        for i, (name, node) in enumerate(list(self.names.items())[offset:], offset + 1):
            record = struct.pack('<2Q2I', node, i, len(name), 8) + name
            out += record + bytes(-len(record) % 8)
        return out[:size]

    def answer(self, opcode, node, body):
        """The answer's bytes, None for no answer; OSError for an error."""
        if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
            return None
        if opcode == INIT:
            flags = struct.unpack_from('<I', body, 12)[0] & (ASYNC_READ | BIG_WRITES | ASYNC_DIO)
            return struct.pack('<4I2H2I2H8I', 7, 31, 0, flags, 16, 12, MOST_WRITE, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        if opcode == STATFS or (opcode == GETATTR and node == ROOT):
            time.sleep(self.slow_s)
        if opcode == STATFS:
            free = self.free_blocks()
            return struct.pack('<5Q4I6I', BLOCKS, free, free, 1000, 1000, BLOCK, 255, BLOCK, 0, 0, 0, 0, 0, 0, 0)
        if opcode == LOOKUP:
            return self.entry(self.names[body.rstrip(b'\0')])
        if opcode == GETATTR:
            return struct.pack('<Q2I', 0, 0, 0) + self.attributes(node)
        if opcode == SETATTR:
            valid, size = struct.unpack_from('<I12xQ', body)
            if valid & SET_SIZE:
                self.nodes[node] = self.nodes[node][:size].ljust(size, b'\0')
            return struct.pack('<Q2I', 0, 0, 0) + self.attributes(node)
        if opcode == CREATE:
            self.check_open(struct.unpack_from('<I', body)[0])
            self.names[body[16:].rstrip(b'\0')], self.nodes[self.next] = self.next, bytearray()
            self.next += 1
            return self.entry(self.next - 1) + struct.pack('<Q2I', 0, 0, 0)
        if opcode == OPEN:
            self.check_open(struct.unpack_from('<I', body)[0])
            return struct.pack('<Q2I', 0, 0, 0)
        if opcode == READ:
            offset, size, flags = struct.unpack_from('<8xQI4x8xI', body)
            self.check_transfer(flags)
            return bytes(self.nodes[node][offset:offset + size])
        if opcode == WRITE:
            return self.write(node, body)
        if opcode == UNLINK:
            self.names.pop(body.rstrip(b'\0')) # the bytes stay until the program ends: somebody may have it open
            return b''
        if opcode == OPENDIR:
            return struct.pack('<Q2I', 0, 0, 0)
        if opcode == READDIR:
            return self.listing(body)
        if opcode in (RELEASE, RELEASEDIR, FLUSH, FSYNC, FSYNCDIR, DESTROY):
            if opcode == RELEASE and node not in self.names.values():
                self.nodes[node] = bytearray()
            return b''
        raise OSError(errno.ENOSYS, '')


def serve(fd, folder):
    while True:
        try:
            request = os.read(fd, MOST_WRITE + (64 << 10))
        except OSError as error:
            if error.errno in (errno.EINTR, errno.ENOENT, errno.EAGAIN):
                continue
            return
        opcode, unique, node = struct.unpack_from('<4xI2Q', request)
        try:
            answer, code = folder.answer(opcode, node, request[40:]), 0
        except OSError as error:
            answer, code = b'', -error.errno
        except KeyError:
            answer, code = b'', -errno.ENOENT
        if answer is None:
            continue
        try:
            os.write(fd, struct.pack('<IiQ', 16 + len(answer), code, unique) + answer)
        except OSError as error:
            if error.errno != errno.ENOENT: # whoever asked has been killed
                return


def main():
    fd = os.open('/dev/fuse', os.O_RDWR)
    options = f'fd={fd},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}'
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b'served', os.fsencode(sys.argv[1]), b'fuse.served', 0, options.encode()) != 0:
        sys.exit('mount: ' + os.strerror(ctypes.get_errno()))
    serve(fd, Folder(sys.argv[2:]))


main()
