import type { UnixMs } from '#domain/core/time';
import type { RecordedCode } from '../../db/schema/market';
import { HEADER, readRows } from './csvRows';
import { readAndHash } from './file';

export interface Scan {
  hash: string;
  codes: RecordedCode[];
  begins: UnixMs;
}

/**
 * Reads a file completely, for what must be known before its first tick. Throws where it contains
 * no tick.
 */
export async function scan(file: string): Promise<Scan> {
  const { text, hash } = await readAndHash(file);
  const codes = new Map<string, RecordedCode>();
  let begins: UnixMs | undefined;
  let wrong = '';
  const report = (line: number, reason: string) => {
    wrong ||= `line ${line}: ${reason}`;
  };
  for await (const rows of readRows(text, { line: 0, byte: 0 }, report)) {
    for (const { time, code, price, decimals } of rows) {
      if (price <= 0) {
        wrong ||= 'its prices are 0 or less';
        continue;
      }
      begins ??= time;
      const known = codes.get(code);
      if (!known) codes.set(code, { code, decimals, price });
      else if (decimals > known.decimals) known.decimals = decimals;
    }
  }
  if (begins === undefined)
    throw new Error(`it has no line of the form ${HEADER} (${wrong || 'it is empty'})`);
  return { hash: hash(), codes: [...codes.values()], begins };
}
