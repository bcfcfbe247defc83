import type { TickRow } from '#domain/api/socket';

/** The row of a tick as the server sends it. */
export function tickRow(
  id: number,
  code: string,
  close: string,
  more: Partial<TickRow> = {},
): TickRow {
  return {
    Id: id,
    Code: code,
    Close: close,
    Open: '1',
    Change: '0',
    Volume: '1',
    Time: 0,
    MarketStatus: 1,
    ...more,
  };
}

export function ticks(...data: unknown[]) {
  return { type: 'DAY_MARKET', data };
}
