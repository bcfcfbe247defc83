import { type ComponentType, lazy } from 'react';
import { routeOf } from './routes';

/** Imports the code of the screen at a path. Does nothing where there is no screen. */
export async function preloadScreen(path: string): Promise<ComponentType | undefined> {
  const file = routeOf(path)?.file;
  return file === undefined ? undefined : (await import('./screens')).loadScreen(file);
}

/** The screen at `path` as a component whose code is imported at its first render. */
export function lazyScreen(path: string): ComponentType {
  return lazy(async () => ({ default: (await preloadScreen(path)) ?? (() => null) }));
}
