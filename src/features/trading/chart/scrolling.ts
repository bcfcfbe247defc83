/** The library has come to rest when it has not moved its view for this long, ms. */
const REST = 150;

export interface Scrolling {
  /** Whether the library moves its view by a drag or a fling. */
  lasts(): boolean;
  /** The library has moved its view. */
  moved(): void;
  /** Stops watching. */
  end(): void;
}

/** Follows the user's pointers on the chart. `onRest`: the library has stopped moving its view. */
export function watchScrolling(host: HTMLElement, onRest: () => void): Scrolling {
  const pressed = new Set<number>();
  let resting: number | undefined;
  let lasts = false;

  const rest = () => {
    lasts = false;
    onRest();
  };
  const wait = () => {
    window.clearTimeout(resting);
    if (pressed.size === 0) resting = window.setTimeout(rest, REST);
  };
  const down = (event: PointerEvent) => {
    window.clearTimeout(resting);
    // The touch that follows ends a fling.
    if (pressed.size === 0 && lasts) rest();
    pressed.add(event.pointerId);
    lasts = true;
  };
  const up = (event: PointerEvent) => {
    if (pressed.delete(event.pointerId)) wait();
  };

  const capture = { capture: true } as const;
  host.addEventListener('pointerdown', down, capture);
  window.addEventListener('pointerup', up, capture);
  window.addEventListener('pointercancel', up, capture);
  return {
    lasts: () => lasts,
    moved() {
      if (lasts) wait();
    },
    end() {
      window.clearTimeout(resting);
      host.removeEventListener('pointerdown', down, capture);
      window.removeEventListener('pointerup', up, capture);
      window.removeEventListener('pointercancel', up, capture);
    },
  };
}
