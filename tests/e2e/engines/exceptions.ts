import type { Engine } from '../../../scripts/lib/engines.mjs';

/** A test that does not run in an engine, and why. */
export interface Exception {
  engine: Exclude<Engine, 'chromium'>;
  /** Of tests/e2e. */
  file: string;
  /** `…` stands for what a template puts in: for all of its tests. */
  title: string;
  reason: string;
}

/** The list only shrinks: tests/repository/engines.test.ts counts it. Tests of Chromium's protocol say so themselves (`chromiumOnly`). */
export const EXCEPTIONS: readonly Exception[] = [];

/** Why a test does not run in this engine. */
export function exceptionFor(
  engine: Engine,
  file: string,
  title: string,
  exceptions = EXCEPTIONS,
): string | undefined {
  const isOne = (each: Exception) =>
    each.engine === engine && file.endsWith(`/${each.file}`) && isOf(each.title, title);
  return exceptions.find(isOne)?.reason;
}

function isOf(listed: string, title: string): boolean {
  return new RegExp(`^${listed.split('…').map(escaped).join('.*')}$`).test(title);
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
