"""The windows of a WebKitGTK that browser.mjs drives: views, input, cookies, dialogs.

Reads commands and writes answers and events as lines of JSON. What the inspector of WebKit can do is done there.
"""

import ctypes
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
gi.require_version("Soup", "3.0")
from gi.repository import Gdk, Gio, GLib, Gtk, Soup, WebKit2  # noqa: E402

gdk = ctypes.CDLL("libgdk-3.so.0")
gtk = ctypes.CDLL("libgtk-3.so.0")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
gdk.gdk_event_new.restype = ctypes.c_void_p
for function in (
    gdk.gdk_event_free,
    gtk.gtk_main_do_event,
    gobject.g_object_ref,
):
    function.argtypes = [ctypes.c_void_p]
gdk.gdk_event_set_device.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
gobject.g_object_ref.restype = ctypes.c_void_p

POINTER, DOUBLE, INT, UINT = ctypes.c_void_p, ctypes.c_double, ctypes.c_int, ctypes.c_uint
HEAD = [("type", INT), ("window", POINTER), ("send_event", ctypes.c_int8)]
TIME = [("time", ctypes.c_uint32)]
PLACE = [("x", DOUBLE), ("y", DOUBLE)]
ROOT = [("device", POINTER), ("x_root", DOUBLE), ("y_root", DOUBLE)]


def layout(fields):
    return type("Event", (ctypes.Structure,), {"_fields_": HEAD + fields})


# The fields of GDK's events: PyGObject cannot write all of them.
MOTION = layout(TIME + PLACE + [("axes", POINTER), ("state", UINT), ("is_hint", ctypes.c_int16)] + ROOT)
BUTTON = layout(TIME + PLACE + [("axes", POINTER), ("state", UINT), ("button", UINT)] + ROOT)
SCROLL = layout(
    TIME + PLACE + [("state", UINT), ("direction", INT)] + ROOT + [("delta_x", DOUBLE), ("delta_y", DOUBLE)]
)
TOUCH = layout(
    TIME + PLACE + [("axes", POINTER), ("state", UINT), ("sequence", POINTER), ("emulating_pointer", INT)] + ROOT
)
KEY = layout(
    TIME
    + [
        ("state", UINT),
        ("keyval", UINT),
        ("length", INT),
        ("string", POINTER),
        ("hardware_keycode", ctypes.c_uint16),
        ("group", ctypes.c_uint8),
    ]
)
FOCUS = layout([("in_", ctypes.c_int16)])
EVENTS = {
    "move": (Gdk.EventType.MOTION_NOTIFY, MOTION),
    "down": (Gdk.EventType.BUTTON_PRESS, BUTTON),
    "up": (Gdk.EventType.BUTTON_RELEASE, BUTTON),
    "wheel": (Gdk.EventType.SCROLL, SCROLL),
    "keyDown": (Gdk.EventType.KEY_PRESS, KEY),
    "keyUp": (Gdk.EventType.KEY_RELEASE, KEY),
    "touchStart": (Gdk.EventType.TOUCH_BEGIN, TOUCH),
    "touchMove": (Gdk.EventType.TOUCH_UPDATE, TOUCH),
    "touchEnd": (Gdk.EventType.TOUCH_END, TOUCH),
    "touchCancel": (Gdk.EventType.TOUCH_CANCEL, TOUCH),
    "focus": (Gdk.EventType.FOCUS_CHANGE, FOCUS),
}

contexts = {}
pages = {}
keymap = None


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def emit(event, page, **values):
    write({"event": event, "page": page, **values})


class Context:
    """A WebKitWebContext of its own: cookies, storage, caches and permissions."""

    def __init__(self, name, scripts):
        self.name = name
        self.scripts = scripts
        self.web = WebKit2.WebContext.new_ephemeral()
        self.data = self.web.get_website_data_manager()
        self.permissions = set()
        self.downloads = {"folder": None}
        self.web.connect("download-started", self.download)

    def download(self, _, download):
        view = download.get_web_view()
        ours = [page for page in pages.values() if page.context is self]
        # One that began as a navigation has no view.
        page = next((page for page in ours if page.view is view), ours[-1])
        number = str(hash(download))
        failed = []

        def decide(_, suggested):
            emit("download", page.name, download=number, url=download.get_request().get_uri(), name=suggested)
            download.set_allow_overwrite(True)
            download.set_destination(f"{self.downloads['folder']}/{suggested}")
            return True

        download.connect("decide-destination", decide)
        download.connect("failed", lambda *_: failed.append(True))
        download.connect("finished", lambda _: emit("downloaded", page.name, download=number, failed=bool(failed)))


class Page:
    def __init__(self, context, name, width, height, related=None):
        self.context = context
        self.name = name
        self.dialog = None
        self.state = 0
        content = WebKit2.UserContentManager()
        self.content = content
        if related:
            self.view = WebKit2.WebView(related_view=related, user_content_manager=content)
        else:
            self.view = WebKit2.WebView(web_context=context.web, user_content_manager=content)
        settings = self.view.get_settings()
        settings.set_enable_developer_extras(True)
        settings.set_javascript_can_open_windows_automatically(True)
        settings.set_javascript_can_access_clipboard(True)
        settings.set_enable_smooth_scrolling(False)
        # The inspector does not tell of the scripts of a page that comes back from there; Chromium's driver has none, too.
        settings.set_enable_page_cache(False)
        # Popups have no decoration, and no window manager limits their size.
        self.window = Gtk.Window(type=Gtk.WindowType.POPUP)
        self.window.add(self.view)
        self.resize(width, height)
        self.view.connect("notify::uri", lambda *_: emit("uri", name, uri=self.view.get_uri()))
        self.view.connect("load-failed", self.failed)
        self.view.connect("script-dialog", self.prompt)
        self.view.connect("create", self.create)
        self.view.connect("close", lambda _: close(name))
        self.view.connect("permission-request", self.permission)
        self.view.connect("query-permission-state", self.permission_state)
        self.view.connect("web-process-terminated", lambda *_: emit("crashed", name))
        self.view.connect("print", lambda *_: True)
        self.window.show_all()
        self.activate()

    def set_scripts(self, scripts):
        self.content.remove_all_scripts()
        frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
        for world, source in scripts:
            if world:
                script = WebKit2.UserScript.new_for_world(source, frames, start, world, None, None)
            else:
                script = WebKit2.UserScript.new(source, frames, start, None, None)
            self.content.add_script(script)

    def resize(self, width, height):
        self.window.set_default_size(width, height)
        self.window.resize(width, height)

    def activate(self):
        """Makes the page believe that its window has the focus: the screen has no window manager."""
        self.window.present()
        self.view.grab_focus()
        self.send(self.window.get_window(), "focus", in_=1)

    def failed(self, _, event, uri, error):
        emit("failed", self.name, uri=uri, text=error.message)
        return False

    def prompt(self, _, dialog):
        kinds = ["alert", "confirm", "prompt", "beforeunload"]
        kind = kinds[int(dialog.get_dialog_type())]
        self.dialog = dialog
        dialog.ref()
        text = dialog.prompt_get_default_text() if kind == "prompt" else None
        emit("prompt", self.name, type=kind, message=dialog.get_message(), default=text)
        return True

    def create(self, view, action):
        name = f"{self.name}.{len(pages)}.{GLib.get_monotonic_time()}"
        width, height = self.window.get_size()
        page = Page(self.context, name, width, height, related=view)
        page.set_scripts(self.context.scripts)
        pages[name] = page
        emit("created", name, opener=self.name, context=self.context.name)
        return page.view

    def permission(self, _, request):
        kinds = {"ClipboardPermissionRequest": "clipboard-read", "NotificationPermissionRequest": "notifications"}
        name = kinds.get(type(request).__name__)
        if name in self.context.permissions:
            request.allow()
        else:
            request.deny()
        return True

    def permission_state(self, _, query):
        granted = query.get_name() in self.context.permissions
        query.finish(WebKit2.PermissionState.GRANTED if granted else WebKit2.PermissionState.PROMPT)
        return True

    def send(self, window, kind, **values):
        number, structure = EVENTS[kind]
        address = gdk.gdk_event_new(int(number))
        event = structure.from_address(address)
        event.window = gobject.g_object_ref(hash(window))
        event.send_event = 0
        for field, value in values.items():
            setattr(event, field, value)
        if hasattr(event, "time"):
            # A finger rests before it leaves: GTK's fling goes the wrong way where a scroller snaps.
            rest = 200 if kind == "touchEnd" else 0
            event.time = (GLib.get_monotonic_time() // 1000 + rest) & 0xFFFFFFFF
        seat = Gdk.Display.get_default().get_default_seat()
        device = seat.get_keyboard() if structure in (KEY, FOCUS) else seat.get_pointer()
        gdk.gdk_event_set_device(address, hash(device))
        gtk.gtk_main_do_event(address)
        gdk.gdk_event_free(address)

    def input(self, kind, **values):
        window = self.view.get_window()
        if "x" in values:
            values.update(x_root=values["x"], y_root=values["y"])
        settings = Gtk.Settings.get_default()
        # Presses count as a double click only where no move comes between: tests press one button twice at once.
        if kind == "move":
            settings.set_property("gtk-double-click-time", 0)
        modifiers = values.pop("modifiers", 0)
        buttons = values.pop("buttons", 0)
        if kind != "focus":
            values["state"] = modifiers | buttons
        if kind in ("keyDown", "keyUp"):
            found, keys = Gdk.Keymap.get_for_display(Gdk.Display.get_default()).get_entries_for_keyval(values["keyval"])
            if found:
                values["hardware_keycode"] = keys[0].keycode
        self.send(window, kind, **values)
        if kind == "down":
            settings.set_property("gtk-double-click-time", 400)


def close(name):
    page = pages.pop(name, None)
    if page:
        page.window.destroy()
        emit("closed", name)


def cookie_of(value):
    cookie = Soup.Cookie.new(value["name"], value["value"], value["domain"], value.get("path", "/"), -1)
    if value.get("expiry") is not None:
        cookie.set_expires(GLib.DateTime.new_from_unix_utc(value["expiry"]))
    cookie.set_http_only(bool(value.get("httpOnly")))
    cookie.set_secure(bool(value.get("secure")))
    same = {"strict": Soup.SameSitePolicy.STRICT, "lax": Soup.SameSitePolicy.LAX}
    cookie.set_same_site_policy(same.get(value.get("sameSite"), Soup.SameSitePolicy.NONE))
    return cookie


def value_of(cookie):
    expires = cookie.get_expires()
    same = {Soup.SameSitePolicy.STRICT: "strict", Soup.SameSitePolicy.LAX: "lax"}
    return {
        "name": cookie.get_name(),
        "value": {"type": "string", "value": cookie.get_value()},
        "domain": cookie.get_domain(),
        "path": cookie.get_path(),
        "httpOnly": cookie.get_http_only(),
        "secure": cookie.get_secure(),
        "sameSite": same.get(cookie.get_same_site_policy(), "none"),
        **({"expiry": expires.to_unix()} if expires else {}),
    }


class Touchscreen:
    """Lets the seat say that it has a touchscreen and no mouse, as a phone's, or the other way round.

    WebKit asks the seat, whose class has a function for it, once for each of its processes and when devices change.
    """

    def __init__(self):
        seat = Gdk.Display.get_default().get_default_seat()
        seat_class = POINTER.from_address(hash(seat)).value
        # After the functions of GObject (136 bytes) and three signals.
        place = POINTER.from_address(seat_class + 136 + 3 * 8)
        self.type = ctypes.CFUNCTYPE(INT, POINTER)
        self.answer = self.type(lambda _: self.capabilities)
        self.seat = seat
        self.set(False)
        place.value = ctypes.cast(self.answer, POINTER).value

    def set(self, touch):
        kinds = Gdk.SeatCapabilities
        self.capabilities = int(kinds.KEYBOARD | (kinds.TOUCH if touch else kinds.POINTER))
        self.seat.emit("device-added", self.seat.get_pointer())


class Commands:
    """One method a command; `answer` may be called later."""

    def ready(self, answer):
        """The inspector listens once there is a context."""
        WebKit2.WebContext.get_default()
        answer()

    def context(self, answer, context, scripts):
        contexts[context] = Context(context, scripts)
        answer()

    def removeContext(self, answer, context):
        for name in [name for name, page in pages.items() if page.context.name == context]:
            close(name)
        contexts.pop(context, None)
        answer()

    def open(self, answer, context, page, width, height, scripts):
        pages[page] = Page(contexts[context], page, width, height)
        pages[page].set_scripts(scripts)
        pages[page].view.load_uri("about:blank")
        answer()

    def scripts(self, answer, scripts, page=None, context=None):
        if page:
            pages[page].set_scripts(scripts)
        else:
            contexts[context].scripts = scripts
        answer()

    def close(self, answer, page):
        close(page)
        answer()

    def tryClose(self, answer, page):
        pages[page].view.try_close()
        answer()

    def navigate(self, answer, page, url):
        pages[page].view.load_uri(url)
        answer()

    def reload(self, answer, page):
        pages[page].view.reload()
        answer()

    def traverse(self, answer, page, delta):
        view = pages[page].view
        item = view.get_back_forward_list().get_nth_item(delta)
        if item:
            view.go_to_back_forward_list_item(item)
        answer(item and item.get_uri())

    def activate(self, answer, page):
        pages[page].activate()
        answer()

    def resize(self, answer, page, width, height):
        pages[page].resize(width, height)
        answer()

    def prompt(self, answer, page, accept, text):
        dialog = pages[page].dialog
        pages[page].dialog = None
        kind = dialog.get_dialog_type()
        if kind == WebKit2.ScriptDialogType.PROMPT:
            if accept:
                dialog.prompt_set_text(text if text is not None else dialog.prompt_get_default_text())
        elif kind != WebKit2.ScriptDialogType.ALERT:
            dialog.confirm_set_confirmed(accept)
        dialog.close()
        dialog.unref()
        answer()

    def input(self, answer, page, **values):
        pages[page].input(**values)
        answer()

    def cookies(self, answer, context):
        manager = contexts[context].data.get_cookie_manager()
        manager.get_all_cookies(
            None, lambda source, result: answer([value_of(cookie) for cookie in source.get_all_cookies_finish(result)])
        )

    def setCookie(self, answer, context, cookie):
        manager = contexts[context].data.get_cookie_manager()
        manager.add_cookie(
            cookie_of(cookie), None, lambda source, result: answer(bool(source.add_cookie_finish(result)))
        )

    def deleteCookies(self, answer, context):
        data = contexts[context].data
        data.clear(
            WebKit2.WebsiteDataTypes.COOKIES, 0, None, lambda source, result: answer(source.clear_finish(result))
        )

    def permission(self, answer, context, name, granted):
        change = contexts[context].permissions.add if granted else contexts[context].permissions.discard
        change(name)
        answer()

    def downloads(self, answer, context, folder):
        contexts[context].downloads["folder"] = folder
        answer()

    def touch(self, answer, touch):
        touchscreen.set(touch)
        answer()

    def language(self, answer, context, language):
        contexts[context].web.set_preferred_languages([language])
        answer()

    def offline(self, answer, context, offline):
        """Nothing listens at the proxy."""
        if offline:
            proxy = WebKit2.NetworkProxySettings.new("http://127.0.0.1:9", None)
            contexts[context].data.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, proxy)
        else:
            contexts[context].data.set_network_proxy_settings(WebKit2.NetworkProxyMode.NO_PROXY, None)
        answer()


def read(source, result):
    line, _ = source.read_line_finish_utf8(result)
    if line is None:
        Gtk.main_quit()
        return
    source.read_line_async(GLib.PRIORITY_DEFAULT, None, read)
    message = json.loads(line)
    number = message.pop("id")
    try:
        command = getattr(Commands(), message.pop("do"))
        command(lambda result=None: write({"id": number, "result": result}), **message)
    except Exception as error:  # noqa: BLE001
        write({"id": number, "error": f"{type(error).__name__}: {error}"})


touchscreen = Touchscreen()
# A page that is busy between the two ends of a tap would make it a long press, which has no click. iOS tells pages of no long press.
Gtk.Settings.get_default().set_property("gtk-long-press-time", 3_600_000)
reader = Gio.DataInputStream.new(Gio.UnixInputStream.new(0, False))
reader.read_line_async(GLib.PRIORITY_DEFAULT, None, read)
Gtk.main()
