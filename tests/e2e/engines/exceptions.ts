/** A test that does not run in an engine, and why. */
export interface Exception {
  engine: 'firefox' | 'webkit';
  /** Of tests/e2e. */
  file: string;
  title: string;
  reason: string;
}

/** The list only shrinks: tests/repository/engines.test.ts counts it. Tests of Chromium's protocol say so themselves (`chromiumOnly`). */
export const EXCEPTIONS: readonly Exception[] = [];
