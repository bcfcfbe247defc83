/** The part of the browser's interface that is used (https://www.w3.org/TR/trusted-types/). */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

/** Paths of our own built scripts; in development those of the sources. */
const OWN_PATH = import.meta.env.DEV ? /^\// : /^\/(assets\/[\w.-]+|service-worker)\.js$/;

/** Addresses of scripts that came with the page. */
const inPage = new Set<string>();

/** The address of a script that came with the page, for a worker. */
export function addressOf(script: string): URL {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  inPage.add(address);
  return new URL(address);
}

/** Throws TypeError for any address but that of a script of this page's own origin, or of `addressOf`. */
export function ownScript(address: string): string {
  if (inPage.has(address)) return address;
  const { origin, pathname } = new URL(address, location.href);
  if (origin !== location.origin || !OWN_PATH.test(pathname)) {
    throw new TypeError(`not a script of ours: ${address}`);
  }
  return address;
}

type Policy = ReturnType<PolicyFactory['createPolicy']>;

const page = globalThis as { trustedTypes?: PolicyFactory; fulcrumPolicy?: Policy };
/**
 * The only way to a script address under `require-trusted-types-for 'script'`. There is no
 * default policy: any other code that writes HTML or loads a script fails, in packages too. The browser allows one policy of a name, so the
 * first program of the page leaves it to the next.
 */
page.fulcrumPolicy ??= page.trustedTypes?.createPolicy('fulcrum', { createScriptURL: ownScript });
const policy = page.fulcrumPolicy;

function trusted(address: string): string {
  return (policy?.createScriptURL(address) ?? ownScript(address)) as string;
}

/** Registers our service worker. */
export function registerServiceWorker(
  container: ServiceWorkerContainer,
  path: string,
): Promise<ServiceWorkerRegistration> {
  return container.register(trusted(new URL(path, location.origin).href));
}

/**
 * Starts a worker of our own. It has the name of the browser's class, because the build finds
 * workers by `new Worker(new URL(…))`.
 */
export const Worker = function start(address: URL, options: WorkerOptions) {
  return new globalThis.Worker(trusted(address.href), options);
} as unknown as new (
  address: URL,
  options: WorkerOptions,
) => globalThis.Worker;
