import { expect, it } from 'vitest';

const { record, stateAfter } = await import('../../bench/render/harness/stream' as string);
const { MAIN, nameOf } = await import('../../domain/workload/workload' as string);

/** Numbers of the quotes of each instrument, in order. */
function quotesOf(workload: object, seconds: number): Map<number, number[]> {
  const { instrumentOf } = record(workload, seconds) as { instrumentOf: Uint16Array };
  const found = new Map<number, number[]>();
  for (const [quote, index] of instrumentOf.entries()) {
    const known = found.get(index);
    if (known) known.push(quote);
    else found.set(index, [quote]);
  }
  return found;
}

it.each([1, 9])('gives each of the first %i instruments its rate, evenly', (firsts) => {
  const workload = { ...MAIN, n: 100, rate: 1000, first: 20, firsts };
  const quotes = quotesOf(workload, 2);
  for (let index = 0; index < firsts; index++) {
    const own = quotes.get(index) ?? [];
    expect(own).toHaveLength(40);
    // Fifty quotes of all are 50 ms.
    for (const [i, quote] of own.slice(1).entries()) {
      expect(Math.abs(quote - (own[i] ?? 0) - 50)).toBeLessThanOrEqual(1);
    }
  }
  const others = [...quotes].filter(([index]) => index >= firsts);
  expect(others).toHaveLength(100 - firsts);
  const counts = others.map(([, own]) => own.length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

it('names the instruments that have a rate of their own', () => {
  expect(nameOf({ ...MAIN, first: 20 })).toMatch(/, 20 of the first$/);
  expect(nameOf({ ...MAIN, first: 20, firsts: 9 })).toMatch(/, 20 of the first 9 each$/);
});

it('knows the last price of every instrument that a gate looks at', () => {
  const recording = record({ ...MAIN, n: 50, first: 20, firsts: 9 }, 1);
  const state = stateAfter(recording, recording.messages.length);
  const last = new Map<string, string>();
  for (const text of [recording.snapshot, ...recording.messages]) {
    for (const { Id, Close } of JSON.parse(text).data) {
      last.set(recording.instruments[Id - 1].ShowCode, Close);
    }
  }
  for (const [name, { price }] of state) expect(price).toBe(last.get(name));
  expect(state.size).toBe(50);
});

it('sends the same quotes in compact rows, whose change doubles tell as the server does', () => {
  const { messages, compact } = record({ ...MAIN, n: 50 }, 5);
  expect(compact).toHaveLength(messages.length);
  for (const [i, text] of messages.entries()) {
    const rows = JSON.parse(text).data;
    expect(JSON.parse(compact[i]).data).toEqual(
      rows.map((row: Record<string, unknown>) => [
        row['Id'],
        row['Close'],
        row['Time'],
        row['Volume'],
      ]),
    );
    for (const { Open, Close, Change } of rows) {
      const change = (Number(Close) - Number(Open)) / Number(Open);
      expect(Math.round(change * 10_000) / 100 + 0).toBe(Number(Change));
    }
  }
});
