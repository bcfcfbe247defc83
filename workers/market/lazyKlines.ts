import { failed } from '#domain/core/result';
import { importOnce, type Once } from '../core/importOnce';
import { NOT_LOADED } from '../core/lazy';
import type { Klines, KlinesOptions } from './klines';

type KlinesCode = Pick<typeof import('./klines'), 'createKlines'>;

const importCode = importOnce<KlinesCode>(() => import('./klines'));

/** As `createKlines`, whose code is loaded by the first chart: the first prices do not need it. */
export function createLazyKlines(
  options: KlinesOptions,
  code: Once<KlinesCode> = importCode,
): Klines {
  let made: Klines | undefined;
  /** What the page has watched before the code was there. */
  const waiting: Parameters<Klines['watch']>[] = [];
  let gridChanged: (() => void) | undefined;
  let visible = true;

  /** Undefined while its code is not there. */
  function klines(): Klines | undefined {
    if (made) return made;
    made = code.present()?.createKlines(options);
    if (gridChanged) made?.follow(gridChanged);
    made?.visibilityChanged?.(visible);
    for (const watch of made ? waiting.splice(0) : []) made?.watch(...watch);
    return made;
  }

  /** Where loading fails, the next call or connection tries again. */
  function load(): Promise<Klines | undefined> {
    return code().then(klines, () => undefined);
  }

  return {
    watch(...change) {
      const loaded = klines();
      if (loaded) {
        loaded.watch(...change);
        return;
      }
      waiting.push(change);
      void load();
    },
    follow(changed) {
      gridChanged = changed;
      made?.follow(changed);
    },
    collect: () => made?.collect() ?? [],
    async loadOlder(key) {
      const loaded = klines() ?? (await load());
      return loaded?.loadOlder(key) ?? failed(NOT_LOADED);
    },
    reload(key) {
      const loaded = klines();
      if (loaded) loaded.reload(key);
      else void load();
    },
    poll: (time) => made?.poll(time),
    connected() {
      made?.connected?.();
      if (!made && waiting.length > 0) void load();
    },
    started: (start) => {
      visible = start.visible;
    },
    backgroundChanged: (isBackground) => made?.backgroundChanged?.(isBackground),
    visibilityChanged(now) {
      visible = now;
      made?.visibilityChanged?.(now);
    },
    listReplaced: (setBack) => made?.listReplaced?.(setBack),
  };
}
