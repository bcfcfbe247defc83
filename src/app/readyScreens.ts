import type { ComponentType } from 'react';

/** Screens by file, and the guard around them, whose code is loaded: they are rendered at once. */
export const readyScreens = new Map<string, ComponentType>();
export const GUARD = 'Guard';
