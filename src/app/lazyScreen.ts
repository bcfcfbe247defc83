import { type ComponentType, createElement, lazy, useState } from 'react';
import { unlessLeft } from '../ui/unlessLeft';
import { readyScreens } from './readyScreens';
import { routeOf } from './routes';

/** Imports the code of the screen at a path. Does nothing where there is no screen. */
export async function preloadScreen(path: string): Promise<ComponentType | undefined> {
  const file = routeOf(path)?.file;
  return file === undefined ? undefined : (await import('./screens')).loadScreen(file);
}

/** The screen at `path` as a component whose code is imported at its first render. */
export function lazyScreen(path: string): ComponentType {
  return lazyUnlessReady(
    () => routeOf(path)?.file,
    async () => (await preloadScreen(path)) ?? (() => null),
  );
}

/**
 * A component that is loaded at its first render, unless it is ready by then (readyScreens.ts): React
 * would show nothing in its place for a moment, and wait some 300 ms before it shows the component.
 */
export function lazyUnlessReady<P extends object>(
  name: () => string | undefined,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Lazy = lazy(async () => ({
    default: await unlessLeft(load()),
  })) as unknown as ComponentType<P>;
  return function Loaded(props: P) {
    const [Ready] = useState(() => readyScreens.get(name() ?? '') as ComponentType<P> | undefined);
    return createElement(Ready ?? Lazy, props);
  };
}
