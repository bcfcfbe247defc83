/** The device, as far as the browser tells, in the form of the benchmark's results. */
export function deviceAbout(): Record<string, string | number> {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return {
    at: new Date().toISOString(),
    browser: navigator.userAgent,
    version: import.meta.env.VITE_VERSION ?? '',
    cores: navigator.hardwareConcurrency,
    ...(deviceMemory !== undefined && { memory: deviceMemory }),
    width: innerWidth,
    height: innerHeight,
    ratio: devicePixelRatio,
  };
}

/** Most user agents name several browsers. The first match in this order is the real one. */
const BROWSERS: readonly [name: string, version: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
];
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/**
 * Browser and system in short: `Chrome 130, Android`. Unknown user agents are returned unchanged.
 */
export function browserName(userAgent: string): string {
  const known = BROWSERS.find(([, version]) => version.test(userAgent));
  if (!known) return userAgent;
  const [name, version] = known;
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  const browser = `${name} ${version.exec(userAgent)?.[1]}`;
  return system ? `${browser}, ${system}` : browser;
}
