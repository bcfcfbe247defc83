import type { ComponentType, ReactNode } from 'react';
import { onceLoaded } from '../ui/lazyPart';
import { reload } from '../ui/ReloadState';
import { unlessLeft } from '../ui/unlessLeft';
import { GUARD, readyScreens } from './readyScreens';
import { routeOf } from './routes';

/** Files of screens whose code could not be loaded ahead. */
const missed = new Set<string>();

/** Loads the code of a screen and of the guard. */
async function loadScreen(file: string): Promise<ComponentType> {
  const screens = await import('./screens');
  readyScreens.set(GUARD, screens.Guard as ComponentType);
  const Screen = await screens.loadScreen(file);
  readyScreens.set(file, Screen);
  return Screen;
}

/** Loads the code of the screen at a path, which nobody has opened yet. Does nothing where there is no screen. */
export async function preloadScreen(path: string): Promise<void> {
  const file = routeOf(path)?.file;
  if (file !== undefined) await loadScreen(file).catch(() => missed.add(file));
}

/**
 * Loads the code of a screen that is opened. Firefox asks for a file that it did not get only in another document, so this
 * page, in which nobody has missed it yet, is loaded again.
 */
async function openScreen(file: string): Promise<ComponentType> {
  const remembered = missed.delete(file);
  try {
    return await loadScreen(file);
  } catch (error) {
    if (remembered) await reload();
    throw error;
  }
}

/** The screen of a file as a component whose code is loaded at its first render, unless it is ready by then. */
export function lazyScreen(file: string, fallback?: ReactNode): ComponentType {
  return onceLoaded(
    () => readyScreens.get(file),
    () => unlessLeft(openScreen(file)),
    fallback,
  );
}
