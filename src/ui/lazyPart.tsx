import { signal } from '@preact/signals-react';
import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
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
 * A component whose code is loaded at its first render; until then `fallback` has its place. Where it can't be loaded, its place says
 * so, or `Missing` stands there, and what is around it stays (D152).
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Missing: () => ReactNode = NotLoaded,
  fallback?: ReactNode,
): (props: P) => ReactNode {
  const Part = lazy<ComponentType<P>>(() => unlessLeft(load()).catch(() => ({ default: Missing })));
  return (props) => <Suspense fallback={fallback}>{createElement(Part, props)}</Suspense>;
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
