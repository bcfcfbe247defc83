import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix, relative } from 'node:path';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import { SECTIONS } from '../server/core/sections.ts';
import { TARGET } from './lib/browsers.mjs';

const onServerToo: ReadonlySet<string> = new Set(SECTIONS);

const root = dirname(import.meta.dirname);

/** The strings of page and server are in the same 18 files: the built server needs some sections, no browser needs `server`. */
export function stringsPerProgram(): Plugin {
  let building = false;
  return {
    name: 'fulcrum:strings-per-program',
    enforce: 'pre',
    configResolved({ command }) {
      building = command === 'build';
    },
    transform(code, id) {
      const onServer = this.environment.name === 'ssr';
      if (!/\/locales\/\w+\.json$/.test(id) || (onServer && !building)) return null;
      const { server, ...strings } = JSON.parse(code) as Record<string, unknown>;
      const all = Object.entries({ ...strings, server });
      const kept = onServer
        ? Object.fromEntries(all.filter(([section]) => onServerToo.has(section)))
        : strings;
      return { code: JSON.stringify(kept), map: null };
    },
  };
}

/** Puts the notice that no money is real into the page, by language, because it is shown before any strings are loaded. */
export function noticeInPage(): Plugin {
  const folder = `${root}/locales`;
  const noticeOf = (file: string) => {
    const strings = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    return [file.replace('.json', ''), (strings as { common: { sandbox: string } }).common.sandbox];
  };
  return {
    name: 'fulcrum:notice-in-page',
    transformIndexHtml() {
      const files = readdirSync(folder).filter((file) => /^(?!tsconfig).*\.json$/.test(file));
      const notices = JSON.stringify(Object.fromEntries(files.map(noticeOf)));
      const attrs = { type: 'application/json', id: 'notices' };
      // No text can end the script.
      const children = notices.replaceAll('<', '\\u003c');
      return [{ tag: 'script', attrs, children, injectTo: 'body' }];
    },
  };
}

/** Fails where a file was renamed: left out of its group, it would be a request more. */
function existing(name: string): string {
  const file = `${root}/${name}.ts`;
  if (!existsSync(file)) throw new Error(`${file} is gone: name the file that replaced it`);
  return file;
}

/** What the list is fetched and kept with: the first HTTP call loads it. */
const WITH_THE_LIST = ['workers/http/transport', 'workers/market/savedList'].map(existing);

/** What workers/workerApi.ts loads once the first prices are there. */
const AFTER_FIRST_PRICES = [
  'workers/app/app',
  'workers/requests/retryingSender',
  'workers/http/marketReads',
].map(existing);

/** It loads a subject's declared calls by the first of them. */
const SUBJECTS = existing('domain/api/subjects');

const REACT = /\/node_modules\/(?:react|react-dom|scheduler)\//;

/** A module that at least this many screens share goes into a common chunk. */
const SHARED_BY = 3;

/**
 * The first screen needs four files: those that paint its prices, React, the app and
 * its styles. A later screen is its own file and one to three that many
 * of them share. By default the bundler makes a chunk for each set of screens that share modules: twenty requests for one screen, which compress badly and queue.
 */
export function chunksByScreen(): Plugin {
  const main = `${root}/src/main.tsx`;
  const mount = `${root}/src/app/mount.tsx`;
  const screens = `${root}/src/app/screens.ts`;
  const trade = `${root}/src/features/trading/TradeScreen.tsx`;
  const deferred = `${root}/src/app/Deferred.tsx`;
  const first = new Set<string>();
  const starter = new Set(['\0vite/preload-helper.js']);
  // What every screen loads after its first paint.
  const around = new Set<string>();
  const shared = new Set<string>();
  // The same for modules that need TanStack Query.
  const requests = new Set<string>();
  // What /trade needs and no screen but those of trading.
  const trading = new Set<string>();
  return {
    name: 'fulcrum:chunks-by-screen',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            // Chromium compiles all of it beside the page's thread, which runs nearly all of it at once.
            postBanner: ({ name }) => (name === 'start' ? '//# allFunctionsCalledOnLoad' : ''),
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'start', test: (id: string) => id !== main && starter.has(id) },
                // A script is parsed in one task: two are parsed in two.
                { name: 'react', test: (id: string) => first.has(id) && REACT.test(id) },
                { name: 'app', test: (id: string) => first.has(id) },
                { name: 'around', test: (id: string) => around.has(id) },
                { name: 'shared', test: (id: string) => shared.has(id) },
                { name: 'requests', test: (id: string) => requests.has(id) },
                { name: 'trading', test: (id: string) => trading.has(id) },
              ],
            },
          },
        },
      },
    }),
    buildEnd() {
      const info = (id: string) => this.getModuleInfo(id);
      // An icon goes where it is used; the index of the set would bring all of them.
      const icons = (id: string): string[] => {
        const index = info(id)?.importedIds.find((next) => next.endsWith('/lucide-react.mjs'));
        const imported = /import \{([^}]*)\} from ["']lucide-react["']/.exec(info(id)?.code ?? '');
        if (!index || !imported) return [];
        return (imported[1] ?? '').split(',').flatMap((name) => {
          const line = new RegExp(`default as ${name.trim()}\\b[^}]*\\} from ["']\\.(.*)["']`);
          const file = line.exec(info(index)?.code ?? '')?.[1];
          return file ? [index.replace('/lucide-react.mjs', file)] : [];
        });
      };
      const reach = (id: string, into: Set<string>): Set<string> => {
        if (into.has(id) || id.endsWith('/lucide-react.mjs')) return into;
        into.add(id);
        for (const next of [...(info(id)?.importedIds ?? []), ...icons(id)]) reach(next, into);
        return into;
      };
      reach(main, starter);
      for (const id of reach(mount, new Set())) {
        // Leave the imported module itself in its own file.
        if (!starter.has(id) && id !== mount) first.add(id);
      }
      for (const id of reach(deferred, new Set())) {
        if (!starter.has(id) && !first.has(id) && id !== deferred) around.add(id);
      }
      const users = new Map<string, string[]>();
      for (const screen of info(screens)?.dynamicallyImportedIds ?? []) {
        for (const id of reach(screen, new Set()))
          users.set(id, [...(users.get(id) ?? []), screen]);
      }
      const query = (id: string) => id.includes('/@tanstack/query');
      const isTrading = (screen: string) => screen.startsWith(`${root}/src/features/trading/`);
      for (const [id, by] of users) {
        if (starter.has(id) || first.has(id) || around.has(id)) continue;
        if (by.every(isTrading)) {
          if (by.includes(trade) && id !== trade) trading.add(id);
        } else if (by.length >= SHARED_BY) {
          if (query(id) || [...reach(id, new Set())].some(query)) requests.add(id);
          else shared.add(id);
        }
      }
    },
    // The app is fetched once there is a price, before it is imported (src/app/lateLinks.ts). A module that
    // is preloaded as one is compiled immediately. One that is preloaded as a script is compiled
    // twice in Chromium: beside the page's thread as a classic script, then on it as a module. The content policy
    // has no word for what is prefetched: Firefox refuses it, and WebKit does not prefetch.
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const scripts = new Set<string>();
        const styles = new Map<string, HtmlTagDescriptor>();
        const started = new Set(chunks.find(({ isEntry }) => isEntry)?.imports);
        const add = (chunk: (typeof chunks)[number] | undefined) => {
          if (!chunk || chunk.isEntry || started.has(chunk.fileName)) return;
          if (scripts.has(chunk.fileName)) return;
          scripts.add(chunk.fileName);
          for (const css of chunk.viteMetadata?.importedCss ?? []) {
            const attrs = { rel: 'preload', as: 'style', href: `/${css}`, crossorigin: true };
            styles.set(css, { tag: 'link', attrs: { ...attrs, fetchpriority: 'low' } });
          }
          for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
        };
        const transport = fileOf(bundle, '/http-client.worker-');
        if (transport) scripts.add(transport);
        // The table of screens names the file of the first one, at any address but /.
        for (const module of [mount, screens])
          add(chunks.find(({ facadeModuleId }) => facadeModuleId === module));
        const paths = [...scripts].map((file) => `/${file}`).join(' ');
        const attrs = { id: 'next-files', 'data-scripts': paths };
        return [{ tag: 'template', attrs, children: [...styles.values()], injectTo: 'head' }];
      },
    },
  };
}

/** The file of a build whose name has this part. */
const fileOf = (bundle: object, part: string) =>
  Object.keys(bundle).find((name) => name.includes(part));

/** Before this the page's first script goes: behind a style sheet it would wait for it. */
const FIRST_FILE = '<script type="module"';

/**
 * Writes src/boot.ts into the page, a program of its own, with the first stage of the worker, another one. A third one reports errors. A file would be one more
 * round trip before the worker, whose address it has. The server's content policy names the hash of it (server/http/page.ts).
 */
export function bootInPage(): Plugin {
  let errorReport = '';
  return {
    name: 'fulcrum:boot-in-page',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle: {
      order: 'pre',
      async handler() {
        const source = await programText('src/errorReport.ts', {}, 'es');
        const file = this.emitFile({ type: 'asset', name: 'errorReport.js', source });
        errorReport = this.getFileName(file);
      },
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const worker = fileOf(bundle, '/client.worker-');
        if (!worker || !html.includes(FIRST_FILE)) throw new Error('nothing to start in the page');
        const stage = await programText('workers/first.worker.ts', {}, 'es');
        const script = await programText('src/boot.ts', {
          FIRST_STAGE: stage,
          WORKER: `/${worker}`,
          ERROR_REPORT: `/${errorReport}`,
        });
        return html
          .replace(/^ *<!--.*-->\n/gm, '')
          .replace(FIRST_FILE, () => `<script>${script}</script>\n    ${FIRST_FILE}`);
      },
    },
  };
}

/** A program that travels in the page: `constants` are texts that it has by these names. */
async function programText(
  file: string,
  constants: Record<string, string>,
  format: 'es' | 'iife' = 'iife',
): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: Object.fromEntries(
      Object.entries(constants).map(([name, text]) => [name, JSON.stringify(text)]),
    ),
    build: {
      write: false,
      target: TARGET,
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}/${file}`,
        preserveEntrySignatures: 'exports-only',
        output: { format },
      },
    },
  });
  const [bundle] = [built].flat();
  if (!bundle || !('output' in bundle)) throw new Error(`${file} was not built`);
  return bundle.output[0].code.trim();
}

/**
 * Makes four files of a worker: what it needs for the first prices, what the list is fetched with, what it loads
 * immediately after them, and what the declarations of several subjects share. Each subject is a further file, loaded
 * with its first call. By default the bundler makes a chunk for each set of modules that parts loaded later share:
 * seven more requests, most of a few hundred bytes, before the first price, and five after it.
 */
export function workerInFourFiles(): Plugin {
  const needed = new Set<string>();
  const transport = new Set<string>();
  const next = new Set<string>();
  const declared = new Set<string>();
  let entry = 'worker';
  return {
    name: 'fulcrum:worker-in-four-files',
    apply: 'build',
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            name: () => entry,
            debugName: 'worker',
            test: (id: string) => needed.has(id),
          },
          {
            name: () => `http-${entry}`,
            debugName: 'HTTP of the worker',
            test: (id: string) => transport.has(id),
          },
          {
            name: () => `next-${entry}`,
            debugName: 'next parts of the worker',
            test: (id: string) => next.has(id),
          },
          {
            name: () => `declared-${entry}`,
            debugName: 'declared calls',
            test: (id: string) => declared.has(id),
          },
        ],
      },
    }),
    buildEnd() {
      const reach = (id: string, into: Set<string>) => {
        if ([needed, transport, next, into].some((known) => known.has(id))) return;
        into.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reach(imported, into);
      };
      for (const id of this.getModuleIds()) {
        if (!this.getModuleInfo(id)?.isEntry) continue;
        entry = posix.basename(id, '.ts');
        reach(id, needed);
      }
      for (const id of WITH_THE_LIST) if (this.getModuleInfo(id)) reach(id, transport);
      for (const id of AFTER_FIRST_PRICES) if (this.getModuleInfo(id)) reach(id, next);
      const ofSubjects = (this.getModuleInfo(SUBJECTS)?.dynamicallyImportedIds ?? []).map((id) => {
        const ofSubject = new Set<string>();
        reach(id, ofSubject);
        return ofSubject;
      });
      const subjectsWith = (id: string) => ofSubjects.filter((ids) => ids.has(id)).length;
      // The benchmark's worker makes few calls, and the service worker lists each file.
      const split = entry === 'client.worker';
      for (const id of ofSubjects.flatMap((ids) => [...ids]))
        if (!split || subjectsWith(id) > 1) declared.add(id);
    },
  };
}

/**
 * Lets the bundler leave out the parts of React Router that nothing imports: it takes each
 * top-level `React.createContext()`, `React.forwardRef()` and `displayName = …` for a side
 * effect. This edits the text of the package, because no option of the bundler can say so of
 * one package only; so its version is pinned, and tests/repository/bundle.test.ts says
 * what to do about a new one.
 */
export function withoutUnusedRouterParts(): Plugin {
  return {
    name: 'fulcrum:without-unused-router-parts',
    apply: 'build',
    transform: (code, id) =>
      /\/react-router\/dist\//.test(id) ? { code: withPureRouterParts(code), map: null } : null,
  };
}

export function withPureRouterParts(code: string): string {
  return code
    .replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1')
    .replace(/^\w+\.displayName = .*$/gm, '');
}

/**
 * Lets the bundler leave out the part of @preact/signals-react that subscribes while rendering (a
 * signal as an element, `useSignals`) and its shim for old versions of React, for the same reason
 * and in the same way: what remains are the hooks that subscribe in an effect. Of each package of
 * signals it takes the build for present browsers; they name that for old ones first.
 */
export function withoutSignalElements(): Plugin {
  return {
    name: 'fulcrum:without-signal-elements',
    apply: 'build',
    enforce: 'pre',
    config: () => ({ define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' } }),
    async resolveId(source, importer, options) {
      if (!source.startsWith('@preact/signals-')) return null;
      const found = await this.resolve(source, importer, options);
      return found?.id.replace(/\.module\.js$/, '.mjs');
    },
    transform: (code, id) =>
      /\/signals-react\/runtime\/dist\//.test(id)
        ? { code: withPureSignalElements(code), map: null }
        : null,
  };
}

export function withPureSignalElements(code: string): string {
  return code
    .replace(
      /Object\.defineProperties\(|Promise\.(prototype\.then\.bind|resolve)\(/g,
      '/* @__PURE__ */ $&',
    )
    .replace('use-sync-external-store/shim/index.js', 'react');
}

/**
 * Modules of axios that the worker never runs: names of HTTP codes, cookies (a worker has
 * none), data URLs, the cancelling of before AbortController, and forms made of objects or
 * turned into something else, because workers/http/client.ts makes URLSearchParams and FormData
 * itself. And the adapter for XMLHttpRequest, which uploads import by themselves, later.
 */
export const UNUSED_AXIOS_MODULES = [
  'adapters/xhr.js',
  'cancel/CancelToken.js',
  'core/createMultipartBody.js',
  'core/setFormDataHeaders.js',
  'helpers/AxiosURLSearchParams.js',
  'helpers/HttpStatusCode.js',
  'helpers/cookies.js',
  'helpers/estimateDataURLDecodedBytes.js',
  'helpers/formDataToBlob.js',
  'helpers/formDataToJSON.js',
  'helpers/toFormData.js',
  'helpers/toURLEncodedForm.js',
] as const;

/** The fetch adapter tells no progress here: the one for XMLHttpRequest does, with the same modules. */
const UNUSED_BY_FETCH = ['helpers/progressEventReducer.js', 'helpers/trackStream.js'];

const EMPTY_MODULE = '\0fulcrum:empty-module';
/** What the modules above export by name. */
const NAMES = ['asyncDecorator', 'progressEventDecorator', 'progressEventReducer', 'trackStream'];

/**
 * Resolves the modules above to an empty one where axios itself imports them. Their names
 * are not public, so the version of axios is pinned; tests/repository/bundle.test.ts says
 * what to do about a new one.
 */
export function withoutUnusedAxiosParts(): Plugin {
  return {
    name: 'fulcrum:without-unused-axios-parts',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const [, folder] = /^(.*\/axios\/lib(?:\/.*)?)\/[^/]+$/.exec(importer) ?? [];
      if (!folder || !source.startsWith('.')) return null;
      const path = posix.join(folder, source);
      const unused = importer.endsWith('/adapters/fetch.js')
        ? [...UNUSED_AXIOS_MODULES, ...UNUSED_BY_FETCH]
        : UNUSED_AXIOS_MODULES;
      return unused.some((module) => path.endsWith(`/axios/lib/${module}`)) ? EMPTY_MODULE : null;
    },
    load: (id) =>
      id === EMPTY_MODULE
        ? `export default null; export const ${NAMES.map((name) => `${name} = null`).join()};`
        : null,
  };
}

/** The name of a CSS module's class: the standard ones end in line numbers, 200 bytes of the first screen. */
export function cssModuleName(name: string, file: string): string {
  const path = relative(root, file).replaceAll('\\', '/');
  return `${name}_${createHash('sha1').update(path).digest('base64url').slice(0, 4)}`;
}
