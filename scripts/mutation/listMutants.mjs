import { readFileSync } from 'node:fs';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';

/** All mutants that Stryker makes of these files. */
export async function listMutants(files, options) {
  const quiet = new Proxy({}, { get: (_, name) => () => name.startsWith('is') && false });
  const instrumenter = createInjector()
    .provideValue('logger', quiet)
    .provideValue('options', options)
    .injectFunction(createInstrumenter);
  const read = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const { mutants } = await instrumenter.instrument(read, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
    ...options,
  });
  return mutants;
}
