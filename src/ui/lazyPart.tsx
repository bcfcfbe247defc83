import { signal } from '@preact/signals-react';
import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  useEffect,
} from 'react';
import { ReloadState } from './ReloadState';

/** Something that has no place of its own on the screen could not be loaded: a banner says so. */
export const codeMissing = signal(false);

function tellMissing(): void {
  codeMissing.value = true;
}

/** Loads code and uses it; a banner says where it could not be loaded. */
export function withCode<T>(load: () => Promise<T>, use: (code: T) => void): void {
  load().then(use, tellMissing);
}

/**
 * A component whose code is loaded at its first render. Where it can't be, its place says so, or `Missing` stands there, and what is around it stays
 * (D152).
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Missing: () => ReactNode = NotLoaded,
): LazyExoticComponent<ComponentType<P>> {
  return lazy<ComponentType<P>>(() => load().catch(() => ({ default: Missing })));
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
