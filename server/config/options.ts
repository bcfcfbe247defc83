import { isIP } from 'node:net';
import { isEmail } from '#domain/account/address';
import { toOrigin } from '../http/origins';

/** One setting: how its text is read, and what `--help` says of it. */
export interface Option<T> {
  /** Placeholder of the value; empty for a switch. */
  value: string;
  read(text: string): T;
  otherwise: string;
  help: string;
  /** Its environment variable, where it isn't FULCRUM_ and its name. */
  env: string | undefined;
}

/** Each throws an Error that says what it expects. */
export const readers = {
  text: (text: string): string => text,

  flag(text: string): boolean {
    if (['true', '1'].includes(text)) return true;
    if (['false', '0', ''].includes(text)) return false;
    throw new Error('expects true or false');
  },

  whole:
    (least: number, most: number) =>
    (text: string): number => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      throw new Error(`expects a whole number from ${least} to ${most}`);
    },

  number:
    (least: number, most: number) =>
    (text: string): number => {
      const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      throw new Error(`expects a number from ${least} to ${most}`);
    },

  oneOf:
    <const T extends number>(...values: T[]) =>
    (text: string): T => {
      const value = values.find((each) => String(each) === text);
      if (value !== undefined) return value;
      throw new Error(`expects one of ${values.join(', ')}`);
    },

  speed(text: string): number | 'max' {
    if (text === 'max') return text;
    try {
      return readers.number(0.001, 1_000_000)(text);
    } catch {
      throw new Error('expects max or a number from 0.001 to 1000000');
    }
  },

  origins(text: string): string[] {
    try {
      return text.split(',').flatMap((part) => (part.trim() ? [toOrigin(part.trim())] : []));
    } catch {
      throw new Error('expects origins such as https://m.example.com');
    }
  },

  proxies(text: string): string[] {
    const proxies = text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []));
    const isKnown = (proxy: string) =>
      /^(loopback|linklocal|uniquelocal)$/.test(proxy) ||
      (/^[^/]+(\/\d{1,3})?$/.test(proxy) && isIP(proxy.split('/')[0] ?? '') !== 0);
    if (proxies.every(isKnown)) return proxies;
    throw new Error('expects addresses of proxies such as 127.0.0.1 or 10.0.0.0/8');
  },

  title(text: string): string {
    if (text.trim()) return text.trim();
    throw new Error('expects a text');
  },

  words:
    <const T extends string>(...known: T[]) =>
    (text: string): T[] => {
      const words = text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : []));
      const isKnown = (word: string): word is T => (known as string[]).includes(word);
      if (words.every(isKnown)) return words;
      throw new Error(`expects ${known.join(', ')}`);
    },

  host(text: string): string {
    if (text === '' || /^[\w.-]+(:\d{1,5})?$/.test(text)) return text;
    throw new Error('expects a host such as api.example.com');
  },

  email(text: string): string {
    if (text === '' || isEmail(text)) return text;
    throw new Error('expects an email address');
  },

  https(text: string): string {
    if (text === '' || (URL.canParse(text) && new URL(text).protocol === 'https:')) return text;
    throw new Error('expects an https address');
  },

  postgres(text: string): string {
    if (text === '' || /^postgres(ql)?:\/\//.test(text)) return text;
    throw new Error('expects postgresql://…');
  },
};
