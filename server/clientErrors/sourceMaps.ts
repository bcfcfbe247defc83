import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { getOrInsert } from '../core/getOrInsert';

/** The maps of the largest files take megabytes when read. */
const MOST_READ = 8;

/**
 * Finds places of built files in our sources. The maps are beside the server's program and are never served
 * (scripts/build.mjs).
 */
export class SourceMaps {
  private readonly directory: string;
  /** Reports name whatever they like: nothing else is opened. */
  private readonly names: ReadonlySet<string>;
  private readonly known = new Map<string, Promise<TraceMap | undefined>>();

  private constructor(directory: string, names: readonly string[]) {
    this.directory = directory;
    this.names = new Set(names);
  }

  /** The maps in a directory; none where it does not exist, as in development. */
  static async open(directory: string): Promise<SourceMaps> {
    return new SourceMaps(directory, await readdir(directory).catch(() => []));
  }

  /** A place of a stack, `app-X.js:1:23`, as `src/app/Shell.tsx:12:3 useShell`; as it is where no map has it. */
  async resolve(place: string): Promise<string> {
    const [, file = '', line = '', column = ''] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
    const map = this.names.has(`${file}.map`) ? await this.mapOf(file) : undefined;
    // The library counts columns from 0, and throws at a line 0 and a column below 0.
    if (!map || Number(line) < 1 || Number(column) < 1) return place;
    const at = { line: Number(line), column: Number(column) - 1 };
    const found = originalPositionFor(map, at);
    if (found.source === null) return place;
    const source = found.source.replace(/^(\.\.\/)+/, '');
    return `${source}:${found.line}:${found.column + 1}${found.name ? ` ${found.name}` : ''}`;
  }

  private mapOf(file: string): Promise<TraceMap | undefined> {
    const map = getOrInsert(this.known, file, () => this.read(file));
    // The one that was used last comes last.
    this.known.delete(file);
    this.known.set(file, map);
    for (const [oldest] of this.known) {
      if (this.known.size <= MOST_READ) break;
      this.known.delete(oldest);
    }
    return map;
  }

  private async read(file: string): Promise<TraceMap | undefined> {
    try {
      return new TraceMap(await readFile(join(this.directory, `${file}.map`), 'utf8'));
    } catch {
      // An upgrade has replaced the build meanwhile.
      return undefined;
    }
  }
}
