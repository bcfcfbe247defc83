/** The device, as far as the browser reports it. */
export interface DeviceInfo {
  userAgent: string;
  cores: number;
  /** GB, at most 8; some browsers don't report it. */
  memory: number | undefined;
  screen: [width: number, height: number, pixelRatio: number];
  viewport: [width: number, height: number];
}

export function deviceInfo(): DeviceInfo {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return {
    userAgent: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    memory: deviceMemory,
    screen: [screen.width, screen.height, devicePixelRatio],
    viewport: [innerWidth, innerHeight],
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
