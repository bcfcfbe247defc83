import type { ComponentType } from 'react';

/**
 * Screens by file, and the guard around them, that were loaded before React renders for the first
 * time, which then need not wait for them.
 */
export const readyScreens = new Map<string, ComponentType>();
export const GUARD = 'Guard';
