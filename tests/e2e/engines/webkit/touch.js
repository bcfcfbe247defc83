// Evaluated in each document of a touchscreen. On a phone WebKit sends pointer events of fingers; WebKitGTK sends wheel
// events where they scroll, whatever the touch-action, and pointer events of a mouse where they tap.
(() => {
  /** By the ids of their pointers. */
  const fingers = new Map();
  /** The mouse does what the finger did. */
  let follows = false;

  const idOf = ({ identifier }) => identifier + 2;

  function send(type, touch, finger) {
    const { clientX, clientY, screenX, screenY } = touch;
    const presses = type === 'pointerdown' || type === 'pointermove';
    const init = {
      ...{ clientX, clientY, screenX, screenY, view: window, pointerType: 'touch' },
      ...{ pointerId: idOf(touch), isPrimary: finger.isPrimary, bubbles: true, composed: true },
      ...{ button: type === 'pointermove' ? -1 : 0, buttons: presses ? 1 : 0 },
      ...{ pressure: presses ? 0.5 : 0, cancelable: type !== 'pointercancel' },
    };
    finger.target.dispatchEvent(new PointerEvent(type, init));
  }

  function leave(touch, type) {
    const finger = fingers.get(idOf(touch));
    if (!finger) return;
    send(type, touch, finger);
    send('pointerout', touch, finger);
    fingers.delete(idOf(touch));
  }

  const handlers = {
    touchstart(touch) {
      follows = true;
      const finger = { target: touch.target, isPrimary: fingers.size === 0, touch };
      fingers.set(idOf(touch), finger);
      send('pointerover', touch, finger);
      send('pointerdown', touch, finger);
    },
    touchmove(touch) {
      const finger = fingers.get(idOf(touch));
      if (!finger) return;
      finger.touch = touch;
      send('pointermove', touch, finger);
    },
    touchend: (touch) => leave(touch, 'pointerup'),
    touchcancel: (touch) => leave(touch, 'pointercancel'),
  };
  const early = { capture: true, passive: false };
  for (const [type, handle] of Object.entries(handlers)) {
    const all = ({ changedTouches }) => [...changedTouches].forEach(handle);
    addEventListener(type, all, early);
  }

  function scrolls(target, { deltaX, deltaY }) {
    const way =
      Math.abs(deltaX) > Math.abs(deltaY) ? /auto|manipulation|pan-x/ : /auto|manipulation|pan-y/;
    for (let element = target; element; element = element.parentElement)
      if (!way.test(getComputedStyle(element).touchAction)) return false;
    return true;
  }

  let scrolling;
  addEventListener(
    'wheel',
    (event) => {
      if (!follows) return;
      event.stopImmediatePropagation();
      const [finger] = fingers.values();
      if (finger) scrolling = scrolls(event.target, event);
      if (!scrolling) event.preventDefault();
      else if (finger) leave(finger.touch, 'pointercancel');
    },
    early,
  );

  for (const type of ['over', 'enter', 'down', 'move', 'up', 'out', 'leave', 'cancel'])
    addEventListener(
      `pointer${type}`,
      (event) => follows && event.isTrusted && event.stopImmediatePropagation(),
      early,
    );
  addEventListener(
    'click',
    (event) => {
      if (follows && event.isTrusted)
        Object.defineProperty(event, 'pointerType', { value: 'touch' });
    },
    early,
  );
  // It has none after a long press.
  addEventListener(
    'contextmenu',
    (event) => {
      if (!follows || !event.isTrusted) return;
      event.stopImmediatePropagation();
      event.preventDefault();
    },
    early,
  );
  // A phone's scrollbars take no touch. Those of GTK lie over 21 px of what scrolls.
  const style = new CSSStyleSheet();
  style.replaceSync('::-webkit-scrollbar { display: none }');
  document.adoptedStyleSheets.push(style);

  addEventListener('bidi-mouse', () => {
    follows = false;
  });

  const { setPointerCapture, hasPointerCapture, releasePointerCapture } = Element.prototype;
  Object.assign(Element.prototype, {
    setPointerCapture(id) {
      const finger = fingers.get(id);
      if (finger) finger.target = this;
      else setPointerCapture.call(this, id);
    },
    hasPointerCapture(id) {
      return fingers.has(id) ? fingers.get(id).target === this : hasPointerCapture.call(this, id);
    },
    releasePointerCapture(id) {
      if (!fingers.has(id)) releasePointerCapture.call(this, id);
    },
  });
})();
