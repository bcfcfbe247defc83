import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { toUnixMs } from '#domain/core/time';
import { randomFrom } from '#domain/workload/draws';
import { Outbox } from '../../../server/socket/outbox';
import { QuoteEncoder } from '../../../server/socket/quoteEncoder';
import { QuoteTopic } from '../../../server/socket/quoteTopic';
import { QuoteVersions } from '../../../server/socket/quoteVersions';
import { inTurn, samples, seed } from '../../helpers/samples';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';

const INSTRUMENTS = 700;

/** A reader whose kernel takes bytes immediately or later: they are looked at when it takes them, as a kernel does. */
class Reader extends Duplex {
  readonly price = new Map<number, string>();
  readonly volume = new Map<number, number>();
  takes = true;
  private untaken: (() => void) | undefined;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const take = () => {
      this.note(chunk);
      done();
    };
    if (this.takes) take();
    else this.untaken = take;
  }

  /** Takes one write; the next one may wait again. */
  takeOne(): void {
    const take = this.untaken;
    this.untaken = undefined;
    take?.();
  }

  private note(frame: Buffer): void {
    const length = (frame[1] ?? 0) & 127;
    const start = length === 127 ? 10 : length === 126 ? 4 : 2;
    const { data } = JSON.parse(frame.subarray(start).toString()) as {
      data: ({ Id: number; Close: string; Volume: string } | [number, string, number, string])[];
    };
    for (const row of data) {
      const [id, close, , volume] = Array.isArray(row) ? row : [row.Id, row.Close, 0, row.Volume];
      this.price.set(id, close);
      this.volume.set(id, (this.volume.get(id) ?? 0) + Number(volume));
    }
  }
}

inTurn(it)(
  'every reader gets the whole volume and the last price, however it falls behind',
  async () => {
    const random = randomFrom(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const market = new ScriptedMarket(
      Array.from({ length: INSTRUMENTS }, (_, i) => instrument(i + 1, `CODE${i + 1}`)),
    );
    const clock = new FakeClock();
    const topic = new QuoteTopic(
      new QuoteEncoder(market),
      new QuoteVersions(market.instruments.map(({ id }) => id)),
      clock,
    );
    market.listen({ ticks: (ticks) => topic.publish(ticks), status() {}, barClosed() {} });
    const context = { lossless: false, now: () => clock.now(), congested: new Set<Outbox>() };
    const readers = Array.from({ length: 24 }, (_, i) => {
      const reader = new Reader();
      const socket = Object.assign(new EventEmitter(), { readyState: 1, terminate() {} });
      const outbox = new Outbox(socket as unknown as WebSocket, reader, context);
      const ids = new Set(Array.from({ length: 20 }, () => 1 + pick(INSTRUMENTS)));
      topic.subscribe(outbox, {
        instrumentIds: i % 3 === 0 ? undefined : ids,
        interval: [0, 100, 250][i % 4] ?? 1000,
        compact: i % 2 === 0,
      });
      return { reader, ids: i % 3 === 0 ? undefined : ids };
    });

    const volume = new Map<number, number>();
    const price = new Map<number, string>();
    for (let step = 0; step < samples(300, 20_000); step++) {
      const ticks = Array.from({ length: pick(60) }, () => ({
        instrumentId: 1 + pick(INSTRUMENTS),
        price: (1 + pick(99_999)) / 100_000,
        volume: 1 + pick(9),
        time: toUnixMs(clock.now()),
      }));
      for (const tick of ticks) {
        const { instrumentId } = tick;
        volume.set(instrumentId, (volume.get(instrumentId) ?? 0) + tick.volume);
        price.set(instrumentId, tick.price.toFixed(5));
      }
      await market.turn(ticks);
      for (const { reader } of readers) {
        if (pick(20) === 0) reader.takes = !reader.takes;
        if (reader.takes || pick(4) === 0) reader.takeOne();
      }
      // The streams emit `drain` in a later turn of the event loop.
      await new Promise(setImmediate);
      clock.pass(pick(40));
    }
    for (let turn = 0; turn < 200; turn++) {
      for (const { reader } of readers) {
        reader.takes = true;
        reader.takeOne();
      }
      await new Promise(setImmediate);
      clock.pass(50);
    }
    for (const { reader, ids } of readers) {
      for (const [id, whole] of volume) {
        if (ids && !ids.has(id)) continue;
        expect([id, reader.volume.get(id), reader.price.get(id)]).toEqual([
          id,
          whole,
          price.get(id),
        ]);
      }
    }
  },
);
