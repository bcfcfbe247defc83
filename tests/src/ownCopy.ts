let copies = 0;

/**
 * A copy of the module at `path` that no other file uses. The files of a process share their modules: timers that one
 * has started as fakes never fire, and what waits for them would wait in the next file too.
 */
export function ownCopy<Module>(path: string): Promise<Module> {
  copies += 1;
  return import(/* @vite-ignore */ `${path}?copy${copies}`);
}
