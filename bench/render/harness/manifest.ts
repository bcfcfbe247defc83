import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());

/** The boxes of a row that may be left out, and where they are unless the manifest names another place. */
export const BOXES = {
  star: '.star path',
  mark: '.mark[data-letters]',
  sparkline: '.sparkline .line[d*=L]',
  tail: '.tail',
  /** An attribute of the row. */
  direction: '',
  /** The mark of a price that has changed. */
  flash: '.flash-up, .flash-down',
} as const;

export type Box = keyof typeof BOXES;
/** Selectors of those that a list has. */
export type Boxes = Partial<Record<Box, string>>;
const names = Object.keys(BOXES) as Box[];

/** `contender.json` (bench/contenders/README.md). */
const Manifest = v.strictObject({
  kind: v.optional(v.picklist(['list', 'chart']), 'list'),
  what: text,
  package: v.optional(text),
  by: text,
  docs: v.pipe(v.string(), v.url()),
  entry: text,
  rows: v.optional(
    v.strictObject({
      ...{ row: text, name: text, price: text, change: text },
      boxes: v.optional(v.record(v.picklist(names), text)),
    }),
  ),
  without: v.optional(v.array(v.picklist(names)), []),
});

export type Manifest = v.InferOutput<typeof Manifest>;

export const CONTENDER_FOLDER = join(process.cwd(), 'bench/contenders');

/** The manifest of a folder; throws with what is wrong with it. */
export function readManifest(name: string): Manifest {
  const file = join(CONTENDER_FOLDER, name, 'contender.json');
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const found = v.safeParse(Manifest, JSON.parse(readFileSync(file, 'utf8')));
  if (found.success) return found.output;
  const wrong = found.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  throw new Error(`${name}/contender.json: ${wrong.join('; ')}`);
}

/** Each folder with a manifest. */
export function contenderNames(): string[] {
  return readdirSync(CONTENDER_FOLDER).filter((name) =>
    existsSync(join(CONTENDER_FOLDER, name, 'contender.json')),
  );
}

/** The files of a contender that its author wrote. */
export function sourcesOf(name: string): { file: string; text: string }[] {
  const folder = join(CONTENDER_FOLDER, name);
  return readdirSync(folder)
    .filter((file) => /\.(tsx?|mjs|vue|svelte|css)$|^contender\.json$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

/** Says whether a contender is still the one that was measured. */
export function fingerprint(name: string): string {
  const hash = createHash('sha256');
  for (const { file, text } of sourcesOf(name)) hash.update(`${file}\0${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** Whether a contender's figures are its own: one that has been changed since it was measured has none; a part of the benchmark has. */
export function isAsMeasured(
  { sources }: { sources?: Record<string, string> | undefined },
  { name, about }: { name: string; about?: Manifest },
): boolean {
  return about === undefined || sources?.[name] === fingerprint(name);
}

/** The installed version of a contender's package, if it names one. */
export function installedVersion(name: string, { package: of }: Manifest): string | undefined {
  if (of === undefined) return undefined;
  for (const folder of [join(CONTENDER_FOLDER, name), join(CONTENDER_FOLDER, '..')]) {
    const file = join(folder, 'node_modules', of, 'package.json');
    if (existsSync(file))
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return undefined;
}
