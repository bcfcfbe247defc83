import type { ParseArgsConfig, parseArgs } from 'node:util';

export function readOptions<T extends ParseArgsConfig>(
  help: string,
  config: T,
): ReturnType<typeof parseArgs<T>>;
