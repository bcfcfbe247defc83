import type { ComponentType } from 'react';

// Every screen but home is inside it. Exported here, it is not part of the first chunk.
export { default as Guard } from './Guard';

/** Home is left out: it is in the first chunk. */
const files = import.meta.glob<Partial<Record<string, ComponentType>>>([
  '/src/{app,features}/**/*Screen.tsx',
  '!/src/features/market/*',
]);

/**
 * Imports a screen: the component that has the name of its file. This module is a chunk of its
 * own, as the bundler's list of all screens and of the chunks of each would add 3 KB to the first.
 */
export async function loadScreen(file: string): Promise<ComponentType> {
  const module = await files[`/src/${file}.tsx`]?.();
  const Screen = module?.[file.split('/').at(-1) ?? ''];
  if (!Screen) throw new Error(`no screen in ${file}`);
  return Screen;
}
