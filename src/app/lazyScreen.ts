import { type ComponentType, createElement, lazy, useState } from 'react';
import { reload } from '../ui/ReloadState';
import { unlessLeft } from '../ui/unlessLeft';
import { readyScreens } from './readyScreens';
import { routeOf } from './routes';

/** Files of screens whose code could not be loaded ahead. */
const missed = new Set<string>();

/** Imports the code of the screen at a path, which nobody has opened yet. */
export async function preloadScreen(path: string): Promise<void> {
  await importScreen(path).catch(() => missed.add(routeOf(path)?.file ?? ''));
}

/**
 * Imports the code of a screen that is opened. Firefox asks for a file that it did not get only in another document, so this
 * page, in which nobody has missed it yet, is loaded again.
 */
async function openScreen(path: string): Promise<ComponentType> {
  const remembered = missed.delete(routeOf(path)?.file ?? '');
  try {
    return (await importScreen(path)) ?? (() => null);
  } catch (error) {
    if (remembered) await reload();
    throw error;
  }
}

/** Does nothing where there is no screen. */
async function importScreen(path: string): Promise<ComponentType | undefined> {
  const file = routeOf(path)?.file;
  return file === undefined ? undefined : (await import('./screens')).loadScreen(file);
}

/** The screen at `path` as a component whose code is imported at its first render. */
export function lazyScreen(path: string): ComponentType {
  return lazyUnlessReady(
    () => routeOf(path)?.file,
    () => openScreen(path),
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
