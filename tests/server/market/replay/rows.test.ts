import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCode } from '../../../../server/market/code';
import { type Row, readRows } from '../../../../server/market/replay/csvRows';
import { inTurn } from '../../../helpers/samples';

async function* chunks(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, size = 64, from = { line: 0, byte: 0 }) {
  const rows: Row[] = [];
  const reported: [number, string][] = [];
  const report = (line: number, reason: string) => reported.push([line, reason]);
  for await (const batch of readRows(chunks(text, size), from, report)) rows.push(...batch);
  return { rows, reported };
}

describe('reading the rows of a replay', () => {
  it('reads time, code and bid, with or without header, CR, byte order mark and last newline', async () => {
    const rows = ['1399420802783,NZDUSD,0.87078,0.87103', '1399420807135,EUR/USD,1.39,1.391'];
    for (const text of [
      rows.join('\n'),
      `${rows.join('\n')}\n`,
      `time,code,bid,ask\n${rows.join('\n')}\n`,
      `\ufeffTime,Code,Bid,Ask\r\n${rows.join('\r\n')}\r\n`,
      `\n${rows.join('\n\n')}\n\n`,
    ]) {
      const { rows: found, reported } = await read(text);
      expect(reported).toEqual([]);
      expect(found).toMatchObject([
        { time: 1399420802783, code: 'NZDUSD', price: 0.87078, decimals: 5 },
        { time: 1399420807135, code: 'EUR/USD', price: 1.39, decimals: 2 },
      ]);
    }
  });

  it.each([
    ['3 columns', '1399420802783,NZDUSD,0.87078'],
    ['6 columns', '1399420802783,NZDUSD,0.87078,0.87103,1,1'],
    ['a volume that is none', '1399420802783,NZDUSD,0.87078,0.87103,x'],
    ['a bar without a volume', '#bar,1399420802783,NZDUSD,1,1,1,1'],
    ['1 column', 'what is this'],
    ['a header that is not the first line', 'time,code,bid,ask'],
    ['a time in words', 'yesterday,NZDUSD,0.87078,0.87103'],
    ['a fraction of a millisecond', '1399420802783.5,NZDUSD,0.87078,0.87103'],
    ['a time in seconds', '1399420802,NZDUSD,0.87078,0.87103'],
    ['a time before 1970', '-5,NZDUSD,0.87078,0.87103'],
    ['a time beyond all calendars', '139942080278312345,NZDUSD,0.87078,0.87103'],
    ['no time', ',NZDUSD,0.87078,0.87103'],
    ['no code', '1399420802783,,0.87078,0.87103'],
    ['a code with a space', '1399420802783,NZD USD,0.87078,0.87103'],
    ['a code with an invisible character', '1399420802783,NZD\u200bUSD,0.87078,0.87103'],
    ['an endless code', `1399420802783,${'X'.repeat(33)},0.87078,0.87103`],
    ['no bid', '1399420802783,NZDUSD,,0.87103'],
    ['a bid that is not a number', '1399420802783,NZDUSD,NaN,0.87103'],
    ['an infinite bid', '1399420802783,NZDUSD,Infinity,0.87103'],
    ['a hexadecimal bid', '1399420802783,NZDUSD,0x10,0.87103'],
    ['a bid that no double keeps', '1399420802783,NZDUSD,1.2345678901234567,2'],
    ['an ask that is not a number', '1399420802783,NZDUSD,0.87078,?'],
    ['a line without end', 'x'.repeat(70_000)],
    ['zero bytes', '\0\0\0\0'],
  ])('reports and skips %s', async (_, line) => {
    const good = '1399420807335,NZDUSD,0.87076,0.87102';
    const { rows, reported } = await read(`time,code,bid,ask\n${good}\n${line}\n${good}\n`);
    expect(rows).toHaveLength(2);
    expect(reported).toEqual([[3, expect.any(String)]]);
    const last = await read(`${good}\n${line}`);
    expect(last.rows).toHaveLength(1);
    expect(last.reported.map(([number]) => number)).toEqual([2]);
  });

  it('reads every code that may be one, whatever chunk ends within it', async () => {
    const code = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 32 }).filter(isCode);
    await fc.assert(
      fc.asyncProperty(fc.array(code, { minLength: 1, maxLength: 9 }), async (codes) => {
        const text = [...codes, '币安人生/USDT']
          .map((each) => `1399420807335,${each},0.9,0.9\n#bar,1399420807335,${each},1,1,1,1,1`)
          .join('\n');
        const { rows, reported } = await read(text, 7);
        expect(reported).toEqual([]);
        const twice = [...codes, '币安人生/USDT'].flatMap((each) => [each, each]);
        expect(rows.map((row) => row.code)).toEqual(twice);
        expect(rows.at(-1)?.byte).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it('reads prices of 0 or less, at which nobody can trade', async () => {
    const { rows, reported } = await read(
      [
        '1399420802783,WTI,-37.63,-36.00',
        '1399420802784,WTI,0,0.01',
        '1399420802785,WTI,0.10,-0.05',
        '#bar,1399420859999,WTI,10.00,10.00,-40.32,0.10,5',
        // With a decimal comma, which may not make a price.
        '1399420802786,NZDUSD,0,87078,0.87103',
      ].join('\n'),
    );
    expect(reported).toEqual([]);
    expect(rows.map(({ price, bar }) => [price, bar])).toEqual([
      [-37.63, undefined],
      [0, undefined],
      [-0.05, undefined],
      [-40.32, undefined],
      [0, undefined],
    ]);
  });

  it('reports a code that is no UTF-8', async () => {
    const line = Buffer.from('1399420807335,caf\xe9,0.9,0.9', 'latin1');
    expect((await read(line)).reported).toEqual([[1, expect.stringContaining('UTF-8')]]);
  });

  it('accepts an ask below the bid, spaces around a line, and small prices as programs write them', async () => {
    const { rows, reported } = await read(
      ' 1399420807335,NZDUSD,0.9,0.8 \n1399420807336,SHIB,1.5e-07,2E-7\n1399420807337,BTC,67240,67241\n1399420807338,X,1.500000000000000000,2\n',
    );
    expect(reported).toEqual([]);
    expect(rows.map(({ price, decimals }) => [price, decimals])).toEqual([
      [0.9, 1],
      [1.5e-7, 8],
      [67240, 0],
      [1.5, 1],
    ]);
  });

  inTurn(it)('reads the same rows with any chunks, and continues from any row', async () => {
    const line = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1e11, max: 2e12 }), fc.constantFrom('A', 'EURUSD'), fc.nat(1e6))
        .map(([time, code, price]) => `${time},${code},${(price + 1) / 1000},5`),
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', '')),
      fc.constant('y'.repeat(1500)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.nat(),
        async (lines, size, where) => {
          const text = Buffer.from(lines.join('\n'));
          const whole = await read(text, text.length + 1);
          const parts = await read(text, size);
          expect(parts).toEqual(whole);
          if (whole.rows.length === 0) return;
          const at = where % whole.rows.length;
          const { line, byte } = whole.rows[at] as Row;
          const rest = await read(text.subarray(byte), size, { line, byte });
          expect(rest.rows).toEqual(whole.rows.slice(at + 1));
          expect(rest.reported).toEqual(whole.reported.filter(([number]) => number > line));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads no further than requested: memory does not grow with the file', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let i = 0; ; i++) {
        asked += 1;
        yield Buffer.from(`${1e12 + i},EURUSD,1.39,1.40\n`.repeat(1000));
      }
    }
    let taken = 0;
    for await (const rows of readRows(endless(), { line: 0, byte: 0 }, () => {})) {
      taken += 1;
      expect(asked).toBe(taken);
      expect(rows.length).toBeLessThanOrEqual(1001);
      if (taken === 100) break;
    }
  });

  it('skips an overlong line, and keeps its position', async () => {
    async function* line(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 2000; i++) yield Buffer.alloc(65_536, 'x');
      yield Buffer.from('\n1399420807335,A,1,1\n');
    }
    const reported: number[] = [];
    const rows: Row[] = [];
    for await (const batch of readRows(line(), { line: 0, byte: 0 }, (n) => reported.push(n))) {
      rows.push(...batch);
    }
    expect(reported).toEqual([1]);
    expect(rows).toMatchObject([{ line: 2, byte: 2000 * 65_536 + 21 }]);
  });
});
