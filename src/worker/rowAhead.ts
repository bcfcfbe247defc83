import type { ListRow } from '#domain/market/list';
import { listRevision } from './frameReceiver';
import { workerApi } from './workerApi';

let ahead: { code: string | undefined; row: ListRow; revision: number } | undefined;

/** Asks for a row before React renders what shows it; without a code, for the first open instrument. `found` gets it. */
export function askRowAhead(code: string | undefined, found: (row: ListRow) => void): void {
  const stop = listRevision.subscribe((revision) => {
    void workerApi.row(code).then((row) => {
      if (!row || ahead) return;
      ahead = { code, row, revision };
      stop();
      found(row);
    });
  });
}

/** The code of that row, once it is there. */
export const codeAhead = (): string | undefined => ahead?.row.instrument.code;

/** That row, as long as the list is the one that it is from; also by its own code where none was asked for. */
export function rowAhead(code: string | undefined): ListRow | undefined {
  if (!ahead || (code !== ahead.code && code !== ahead.row.instrument.code)) return undefined;
  return ahead.revision === listRevision.peek() ? ahead.row : undefined;
}
