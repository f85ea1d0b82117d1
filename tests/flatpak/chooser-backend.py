#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""chooser-backend.py FILE: the desktop's side of the portal's file chooser, with a user who always chooses what FILE says. Prints what it was asked."""
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.impl.portal.FileChooser">
<method name="OpenFile"><arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="u" direction="out"/><arg type="a{sv}" direction="out"/></method></interface></node>"""


def asked(connection, sender, path, interface, method, parameters, invocation):
    _, application, _, title, options = parameters.unpack()
    with open(sys.argv[1]) as file:
        chosen = file.read().strip()
    print(f"{application} asks for {'a folder' if options.get('directory') else 'a file'}: {title}", flush=True)
    answer = {"uris": GLib.Variant("as", [Gio.File.new_for_path(chosen).get_uri()]), "writable": GLib.Variant("b", True)}
    invocation.return_value(GLib.Variant("(ua{sv})", (0, answer)))


def connected(connection, name):
    connection.register_object("/org/freedesktop/portal/desktop", Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], asked, None, None)


Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.impl.portal.desktop.drivegaugetest", Gio.BusNameOwnerFlags.NONE, connected, None, lambda *_: sys.exit(1))
GLib.MainLoop().run()
