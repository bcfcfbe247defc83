/** GDK's names of the keys that WebDriver numbers from U+E000. */
const KEYS = {
  '\uE003': 0xff08, // Backspace
  '\uE004': 0xff09, // Tab
  '\uE006': 0xff0d, // Enter
  '\uE007': 0xff8d, // NumpadEnter
  '\uE008': 0xffe1, // Shift
  '\uE009': 0xffe3, // Control
  '\uE00A': 0xffe9, // Alt
  '\uE00C': 0xff1b, // Escape
  '\uE00E': 0xff55, // PageUp
  '\uE00F': 0xff56, // PageDown
  '\uE010': 0xff57, // End
  '\uE011': 0xff50, // Home
  '\uE012': 0xff51, // ArrowLeft
  '\uE013': 0xff52, // ArrowUp
  '\uE014': 0xff53, // ArrowRight
  '\uE015': 0xff54, // ArrowDown
  '\uE016': 0xff63, // Insert
  '\uE017': 0xffff, // Delete
  '\uE03D': 0xffe7, // Meta
  '\uE050': 0xffe2, // ShiftRight
  '\uE051': 0xffe4, // ControlRight
  '\uE052': 0xffea, // AltRight
  '\uE053': 0xffe8, // MetaRight
};
const MODIFIERS = {
  '\uE008': 1,
  '\uE050': 1,
  '\uE009': 4,
  '\uE051': 4,
  '\uE00A': 8,
  '\uE052': 8,
  '\uE03D': 1 << 28,
  '\uE053': 1 << 28,
};

function keyval(value, modifiers) {
  const code = value.charCodeAt(0);
  if (code >= 0xe031 && code <= 0xe03c) return 0xffbe + code - 0xe031;
  if (KEYS[value]) return KEYS[value];
  const [text] = modifiers & 1 ? value.toUpperCase() : value;
  const point = text.codePointAt(0);
  return point < 0x100 ? point : 0x01000000 + point;
}

/** The input of one page: what is pressed, and where the pointers are. */
export class Input {
  modifiers = 0;
  buttons = 0;
  keys = new Set();
  /** By source. */
  places = new Map();
  fingers = new Map();
  #before = Promise.resolve();

  constructor(page) {
    this.page = page;
  }

  send(kind, values) {
    return this.page.window('input', { kind, modifiers: this.modifiers, ...values });
  }

  /** Waits for those before: Playwright sends the parts of a click at once. */
  perform(sources) {
    const done = this.#before.then(() => this.#steps(sources));
    this.#before = done.catch(() => {});
    return done;
  }

  /** In each step every source does one action. */
  async #steps(sources) {
    const steps = Math.max(...sources.map(({ actions }) => actions.length));
    for (let step = 0; step < steps; step++) {
      let pause = 0;
      let hovers = false;
      for (const source of sources) {
        const action = source.actions[step];
        if (!action) continue;
        pause = Math.max(pause, action.duration ?? 0);
        hovers ||= action.type === 'pointerMove' && this.buttons === 0;
        await this.#act(source, action);
      }
      await this.page.settled(hovers);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async release() {
    for (const value of [...this.keys]) await this.#act({ type: 'key' }, { type: 'keyUp', value });
  }

  async #act(source, action) {
    if (action.type === 'pause') return;
    if (source.type === 'key') return this.#key(action);
    if (source.type === 'wheel') return this.#wheel(action);
    return source.parameters?.pointerType === 'touch'
      ? this.#finger(source.id, action)
      : this.#mouse(source.id, action);
  }

  async #key({ type, value }) {
    const modifier = MODIFIERS[value] ?? 0;
    if (type === 'keyDown') {
      this.keys.add(value);
      await this.send(type, { keyval: keyval(value, this.modifiers) });
      this.modifiers |= modifier;
    } else {
      this.keys.delete(value);
      await this.send(type, { keyval: keyval(value, this.modifiers) });
      this.modifiers &= ~modifier;
    }
  }

  /** GDK counts in lines, whose height WebKit takes from the window's. */
  async #wheel({ x, y, deltaX, deltaY }) {
    const [width, height] = await this.page.value('[innerWidth, innerHeight]');
    const line = (size) => Math.floor(size ** (2 / 3));
    await this.send('wheel', {
      x,
      y,
      direction: 4,
      delta_x: deltaX / line(width),
      delta_y: deltaY / line(height),
    });
  }

  async #place(id, { x, y, origin = 'viewport' }) {
    const from = this.places.get(id) ?? { x: 0, y: 0 };
    let at = { x, y };
    if (origin === 'pointer') at = { x: from.x + x, y: from.y + y };
    if (typeof origin === 'object') {
      const { result } = await this.page.callFunction({
        functionDeclaration: `(node) => {
          const { left, top, width, height } = node.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }`,
        target: { context: this.page.name },
        arguments: [origin.element],
        awaitPromise: true,
      });
      const [left, top] = result.value.map(({ value }) => value);
      at = { x: left + x, y: top + y };
    }
    this.places.set(id, at);
    return at;
  }

  async #mouse(id, action) {
    // touch.js tells it from the mouse that follows a finger.
    if (this.touched) await this.page.value(`dispatchEvent(new Event('bidi-mouse'))`);
    this.touched = false;
    if (action.type === 'pointerMove') {
      return this.send('move', { ...(await this.#place(id, action)), buttons: this.buttons });
    }
    const at = this.places.get(id) ?? { x: 0, y: 0 };
    const button = action.button + 1;
    const mask = 256 << (button - 1);
    if (action.type === 'pointerDown') {
      await this.send('down', { ...at, button, buttons: this.buttons });
      this.buttons |= mask;
    } else {
      await this.send('up', { ...at, button, buttons: this.buttons });
      this.buttons &= ~mask;
    }
  }

  async #finger(id, action) {
    const sequence = this.fingers.get(id);
    if (action.type === 'pointerMove') {
      const at = await this.#place(id, action);
      if (sequence) await this.send('touchMove', { ...at, sequence });
      return;
    }
    const at = this.places.get(id) ?? { x: 0, y: 0 };
    if (action.type === 'pointerDown') {
      const number = Math.max(0, ...this.fingers.values()) + 1;
      this.fingers.set(id, number);
      this.touched = true;
      await this.send('touchStart', { ...at, sequence: number });
    } else {
      this.fingers.delete(id);
      await this.send('touchEnd', { ...at, sequence });
    }
  }
}
