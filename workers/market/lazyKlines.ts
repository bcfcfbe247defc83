import { failed } from '#domain/core/result';
import type { Klines, KlinesOptions } from './klines';

type KlinesCode = Pick<typeof import('./klines'), 'createKlines'>;

/** Loaded once for all. */
let code: KlinesCode | undefined;

const importCode = (): Promise<KlinesCode> => import('./klines');

export async function loadKlines(load = importCode): Promise<void> {
  code ??= await load();
}

/** As `createKlines`, whose code is loaded by the first chart: the first prices do not need it. */
export function createLazyKlines(options: KlinesOptions, loadCode = importCode): Klines {
  let made: Klines | undefined;
  /** What the page has watched before the code was there. */
  const waiting: ((klines: Klines) => void)[] = [];

  /** Undefined while its code is not there. */
  function klines(): Klines | undefined {
    made ??= code?.createKlines(options);
    for (const watch of made ? waiting.splice(0) : []) if (made) watch(made);
    return made;
  }

  function whenLoaded(watch: (klines: Klines) => void): void {
    waiting.push(watch);
    if (!klines()) void load();
  }

  /** Where loading fails, the next call or connection tries again. */
  function load(): Promise<Klines | undefined> {
    return loadKlines(loadCode).then(klines, () => undefined);
  }

  return {
    watch: (change) => whenLoaded((loaded) => loaded.watch(change)),
    watchIndicators: (key, specs) => whenLoaded((loaded) => loaded.watchIndicators(key, specs)),
    async loadOlder(key) {
      const loaded = klines() ?? (await load());
      return loaded?.loadOlder(key) ?? failed({ kind: 'transport', code: 'ERR_NETWORK' });
    },
    reload(key) {
      const loaded = klines();
      if (loaded) loaded.reload(key);
      else void load();
    },
    connected() {
      made?.connected?.();
      if (!made && waiting.length > 0) void load();
    },
    visibilityChanged: (visible) => made?.visibilityChanged?.(visible),
    listReplaced: (setBack) => made?.listReplaced?.(setBack),
  };
}
