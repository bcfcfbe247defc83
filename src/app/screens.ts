import type { ComponentType } from 'react';

// Every screen but home is rendered inside it. Exporting it here keeps it out of the first chunk.
export { default as Guard } from './Guard';

/** Home is excluded, because it is in the first chunk. */
const files = import.meta.glob<Partial<Record<string, ComponentType>>>([
  '/src/{app,features}/**/*Screen.tsx',
  '!/src/features/market/*',
]);

/**
 * Imports a screen: the export of `file` that has the file's name. This module is a chunk of its
 * own, because the bundler's list of all screens and their chunks weighs 3 KB.
 */
export async function loadScreen(file: string): Promise<ComponentType> {
  const module = await files[`/src/${file}.tsx`]?.();
  const Screen = module?.[file.split('/').at(-1) ?? ''];
  if (!Screen) throw new Error(`no screen in ${file}`);
  return Screen;
}
