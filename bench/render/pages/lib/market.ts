/** An instrument before its first quote. */
export interface Instrument {
  id: number;
  code: string;
  name: string;
  precision: number;
  close: number;
  change: number;
}

interface Listed {
  Id: number;
  Code: string;
  ShowCode: string;
  PricePrecision: number;
  ForexQuotations: { Close: string; Change: string };
}

/** One row of DM (protocol.md#compact-quotes); its open only where this socket was not told before. */
export type TickRow = [id: number, close: string, time: number, volume: string, open?: string];

/** The latest of an instrument: price, and change since the day's open in percent. */
export interface Tick {
  id: number;
  close: number;
  change: number;
}

const opens: number[] = [];

export function readTick([id, text, , , open]: TickRow): Tick {
  const from = open === undefined ? (opens[id] as number) : Number(open);
  opens[id] = from;
  const close = Number(text);
  // Two decimals, and no negative zero.
  return { id, close, change: Math.round(((close - from) / from) * 10_000) / 100 + 0 };
}

/** The rows of a message of quotes; undefined for any other. */
export function rowsOf(text: string): TickRow[] | undefined {
  const { type, data } = JSON.parse(text) as { type: string; data: TickRow[] };
  return type === 'DM' ? data : undefined;
}

export async function loadInstruments(): Promise<Instrument[]> {
  const answer = await fetch('/v1/api/forex/trade_list');
  const { data } = (await answer.json()) as { data: Listed[] };
  return data.map((row) => ({
    id: row.Id,
    code: row.Code,
    name: row.ShowCode,
    precision: row.PricePrecision,
    close: Number(row.ForexQuotations.Close),
    change: Number(row.ForexQuotations.Change),
  }));
}

export const socketUrl = `${location.origin.replace('http', 'ws')}/v1/ws`;

export function formatPrice(close: number, precision: number): string {
  return close.toFixed(precision);
}

export function formatChange(change: number): string {
  return `${change > 0 ? '+' : ''}${change.toFixed(2)}%`;
}

export function directionOf(change: number): string {
  return change > 0 ? 'up' : change < 0 ? 'down' : 'flat';
}

/** An invented day of an instrument as a path of 56 by 28 px; the app asks the server for it. */
export function sparkline(id: number): string {
  const points = Array.from({ length: 60 }, (_, i) => {
    const y = 14 + 9 * Math.sin(i / 7 + id) + 3 * Math.sin(i * id);
    return `${((i / 59) * 56).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}
