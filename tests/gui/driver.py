# SPDX-License-Identifier: GPL-3.0-or-later
"""A person at the window, by way of the accessibility bus and the keyboard."""
import json, os, re, subprocess, sys, time, warnings

import gi
warnings.simplefilter('ignore', DeprecationWarning)
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib

Atspi.init()
IN_SANDBOX = bool(os.environ.get('DRIVEGAUGE_IN_SANDBOX'))


n_checks = 0


def ok(condition, text, more=''):
    """A line of TAP; AssertionError when it is not so."""
    global n_checks
    n_checks += 1
    print(f"{'ok' if condition else 'not ok'} {n_checks} - {text}", flush=True)
    if not condition:
        raise AssertionError(f'{text}: {more}' if more else text)


def end_of_checks():
    if n_checks > 0:
        print(f'1..{n_checks}')


def until(what, function, timeout=30):
    """The first true value of function(), asked again and again; LookupError naming `what` when the time is over."""
    end = time.monotonic() + timeout
    while True:
        try:
            value = function()
        except GLib.Error:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise LookupError(f'not seen within {timeout} s: {what}')
        time.sleep(0.1)


def walk(node):
    yield node
    try:
        children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
    except GLib.Error:
        return
    for child in children:
        if child is not None:
            yield from walk(child)


def states(node):
    return {s.value_nick for s in node.get_state_set().get_states()}


def text_of(node):
    """Newer introspection takes a node's own get_text for another function."""
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node)) if node.get_text_iface() else None


def key(*keys):
    subprocess.run(['xdotool', 'key', '--delay', '60', *keys], check=True)


def type_text(text):
    subprocess.run(['xdotool', 'type', '--delay', '25', text], check=True)


class Program:
    started = []

    def __init__(self, *arguments, environment={}):
        self.process = subprocess.Popen(arguments, env={**os.environ, **environment})
        Program.started.append(self.process)
        self.application = until('the application', self._find_application, 40)

    def _find_application(self):
        if self.process.poll() is not None:
            raise LookupError(f'the program ended with {self.process.returncode}')
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            # a sandbox has process numbers of its own
            if child is not None and (child.get_process_id() == self.process.pid or (IN_SANDBOX and child.get_name() == 'drivegauge')):
                return child

    def look(self, role, name, by=Atspi.Accessible.get_name):
        for node in walk(self.application):
            try:
                if node.get_role_name() in role.split('|') and re.search(name, by(node) or ''):
                    return node
            except GLib.Error:
                pass

    def find(self, role, name, timeout=30):
        return until(f'{role} {name!r}', lambda: self.look(role, name), timeout)

    def absent(self, role, name, timeout=30):
        return until(f'the end of {role} {name!r}', lambda: self.look(role, name) is None, timeout)

    def sensitive(self, role, name, timeout=30):
        def ready():
            node = self.look(role, name)
            return node if node is not None and 'sensitive' in states(node) else None
        return until(f'{role} {name!r} that can be used', ready, timeout)

    def click(self, node):
        # the clickable button may stand inside the named one
        for inner in walk(node):
            action = inner.get_action_iface()
            for i in range(action.get_n_actions() if action else 0):
                if action.get_action_name(i) == 'click' and action.do_action(i):
                    return
        raise LookupError(f'{node.get_name()!r} cannot be clicked')

    def names(self, role):
        return [n.get_name() for n in walk(self.application) if n.get_role_name() in role.split('|')]

    def text(self, role, name):
        return text_of(self.find(role, name))

    @classmethod
    def end_all(cls):
        for process in cls.started:
            if process.poll() is None:
                process.kill()
                process.wait()

    def nodes(self, role):
        return [n for n in walk(self.application) if n.get_role_name() in role.split('|')]

    def dump(self):
        for node in walk(self.application):
            try:
                print('#', node.get_role_name(), repr(node.get_name()), sorted(states(node)))
            except GLib.Error:
                pass

    def focus_window(self, title):
        found = until(f'a window named {title!r}', lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', title], capture_output=True, text=True).stdout.split())
        subprocess.run(['xdotool', 'windowactivate', '--sync', found[-1]], check=True)
        return found[-1]

    def press(self, node, title):
        """With the pointer: GTK 4 tells where a widget is within its window only."""
        window = self.focus_window(title)
        place = node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
        subprocess.run(['xdotool', 'mousemove', '--window', window, str(place.x + place.width // 2), str(place.y + place.height // 2),
                        'click', '1'], check=True)

    def type_path(self, title, path):
        """Into the line of a file dialog; one that is still coming up swallows keys."""
        def arrived():
            for node in self.nodes('text|entry|text box'):
                if (text_of(node) or '').rstrip('/') == path.rstrip('/'):
                    return True
        self.focus_window(title)
        for attempt in range(3):
            time.sleep(0.5 + attempt)
            key('ctrl+a')
            type_text(path)
            # GTK 4.18 completes "/var/t" while "mp" is still being typed: what it put after the caret is not meant
            key('shift+End', 'Delete')
            try:
                until('the path typed', arrived, 10)
                break
            except LookupError:
                if attempt == 2:
                    raise
        time.sleep(0.5)
        key('Return')

    def alert(self, expected, timeout=10):
        """Closes the message that is called so; its sentence."""
        self.find('label', expected, timeout)
        texts = [n.get_name() for n in self.nodes('label')]
        sentence = next((t for t in texts[[bool(re.search(expected, t)) for t in texts].index(True) + 1:] if t), '')

        def closed():
            # a key may come before the message has the keyboard; a program that has no time to answer looks empty
            names = self.names('label|push button|toggle button|button')
            if 'Main menu' in names and not any(re.search(expected, name or '') for name in names):
                return True
            key('Escape')
            time.sleep(0.3)
        until('the end of the message', closed)
        return sentence

    def signal(self, number):
        """To the program itself: what holds a sandbox hands nothing on."""
        pids = [self.process.pid]
        for pid in pids:
            with open(f'/proc/{pid}/comm') as file:
                if not IN_SANDBOX or file.read().strip() == 'drivegauge':
                    os.kill(pid, number)
                    return
            for thread in os.listdir(f'/proc/{pid}/task'):
                with open(f'/proc/{pid}/task/{thread}/children') as file:
                    pids += [int(child) for child in file.read().split()]
        raise LookupError('no process to send a signal to')

    def end(self, timeout=30):
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired: # it is left as it is, for a picture; end_all () ends it
            raise LookupError(f'the program did not end within {timeout} s') from None

    def cpu_seconds(self):
        with open(f'/proc/{self.process.pid}/stat') as file:
            return sum(map(int, file.read().rsplit(')', 1)[1].split()[11:13])) / os.sysconf('SC_CLK_TCK')


def documents():
    folder = os.path.join(os.environ['XDG_DATA_HOME'], 'drivegauge', 'results')
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if re.fullmatch(r'[0-9a-f-]{36}\.json', name):
            with open(os.path.join(folder, name)) as file:
                found[name] = json.load(file)
    return found


def screenshot(path, window=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run(['import', '-silent', '-window', window or 'root', path], check=True)
