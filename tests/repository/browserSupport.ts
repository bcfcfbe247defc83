import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Version = string | boolean | null;
interface Statement {
  version_added: Version;
  version_removed?: Version;
  partial_implementation?: boolean;
  alternative_name?: string;
  prefix?: string;
  flags?: object[];
}
export interface Entry {
  __compat?: { support: Record<string, Statement | Statement[]> };
}
/** A branch of MDN's data: features in features. */
export type Tree = { [name: string]: Tree } & Entry;

/** MDN's data of which feature came with which version of a browser. As a module it would be type-checked: 20 MB. */
export const DATA = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as Record<'api' | 'css' | 'html' | 'javascript', Tree>;

/** The names of browserslist in MDN's data. A WebView has the versions of Chrome, but not all of its features. */
const IN_DATA: Record<string, readonly string[]> = {
  chrome: ['chrome', 'chrome_android', 'webview_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
};

export type Versions = Readonly<Record<string, string>>;

/** Whether a version is older than another, compared by their numbers: 16.10 is younger than 16.4. */
function older(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** The browsers that lack a feature or that have it only in a younger version, with that version. */
function lacking(entry: Entry, oldest: Versions): string[] {
  const { support = {} } = entry.__compat ?? {};
  return Object.entries(oldest).flatMap(([name, version]) =>
    (IN_DATA[name] ?? []).flatMap((browser) => {
      const statements = [support[browser] ?? []].flat();
      const since = statements.flatMap((statement) => {
        const { version_added, version_removed, partial_implementation } = statement;
        // What was removed as a part came back as a whole.
        const gone = version_removed && !partial_implementation;
        if (gone || statement.flags || statement.alternative_name || statement.prefix) return [];
        if (typeof version_added !== 'string' || version_added === 'preview') return [];
        return [version_added.replace('≤', '')];
      });
      if (since.some((each) => !older(version, each))) return [];
      return [`${browser} ${since.sort((a, b) => (older(a, b) ? -1 : 1))[0] ?? '-'}`];
    }),
  );
}

/** Collects features that are younger than the oldest browsers. */
export class Findings {
  /** The browsers that lack it, by the feature's name. */
  readonly found = new Map<string, string[]>();
  private readonly lacks = new Map<Entry, string[]>();
  private readonly oldest: Versions;

  constructor(oldest: Versions) {
    this.oldest = oldest;
  }

  /** Adds the first of some features of one name, if no oldest browser has any of them. */
  add(features: readonly (readonly [feature: string, entry: Entry | undefined])[]): void {
    const known = features.filter(([, entry]) => entry?.__compat);
    const [[feature, entry] = []] = known;
    if (!feature || !entry) return;
    if (known.some(([, each]) => !this.isYoung(each))) return;
    this.found.set(feature, this.lacking(entry));
  }

  isYoung(entry: Entry | undefined): boolean {
    return this.lacking(entry ?? {}).length > 0;
  }

  private lacking(entry: Entry): string[] {
    const found = this.lacks.get(entry) ?? lacking(entry, this.oldest);
    this.lacks.set(entry, found);
    return found;
  }
}
