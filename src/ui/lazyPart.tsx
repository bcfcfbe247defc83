import { signal } from '@preact/signals-react';
import {
  type ComponentType,
  createElement,
  type ReactNode,
  startTransition,
  useEffect,
  useState,
} from 'react';
import { ReloadState } from './ReloadState';
import { unlessLeft } from './unlessLeft';

/** Something that has no place of its own on the screen could not be loaded: a banner says so. */
export const codeMissing = signal(false);

function tellMissing(): void {
  codeMissing.value = true;
}

/** Loads code and uses it; a banner says where it could not be loaded. */
export function withCode<T>(load: () => Promise<T>, use: (code: T) => void): void {
  unlessLeft(load()).then(use, tellMissing);
}

/**
 * A component that is rendered at once where `ready` has it, otherwise once it is loaded; until then `fallback` has its place. React's
 * `lazy` would show nothing for some 300 ms, even of code that is there. What could not be loaded is thrown to the boundary around it.
 */
export function onceLoaded<P extends object>(
  ready: () => ComponentType<P> | undefined,
  load: () => Promise<ComponentType<P>>,
  fallback?: ReactNode,
): (props: P) => ReactNode {
  return function Loaded(props) {
    const [Part, show] = useState(ready);
    useEffect(() => {
      if (Part) return;
      load().then(
        // In slices: it may be a whole screen.
        (loaded) => startTransition(() => show(() => loaded)),
        (error) =>
          show(() => {
            throw error;
          }),
      );
    }, [Part]);
    return Part ? createElement(Part, props) : fallback;
  };
}

/**
 * A component whose code is loaded at its first render, or by `preload`. Where it can't be loaded, its place says so, or `Missing`
 * stands there, and what is around it stays (D152).
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Missing: () => ReactNode = NotLoaded,
  fallback?: ReactNode,
) {
  let ready: ComponentType<P> | undefined;
  const preload = async () => {
    ready = (await load()).default;
    return ready;
  };
  const loadOrMiss = () => unlessLeft(preload()).catch(() => Missing);
  return Object.assign(
    onceLoaded(() => ready, loadOrMiss, fallback),
    { preload },
  );
}

function NotLoaded() {
  return <ReloadState />;
}

/** For what lies over something else: a sheet, a menu, what is drawn into a chart. */
export function ToldInBanner() {
  useEffect(tellMissing, []);
  return null;
}

/** For what nobody asked for. */
export function LeftOut() {
  return null;
}
