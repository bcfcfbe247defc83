import { setTimeout as wait } from 'node:timers/promises';
import { randomFrom } from '#domain/workload/draws';
import { shuffled } from '../lib/statistics';
import { Histogram, type Quantiles } from './histogram';
import { RawSocket } from './rawSocket';
import type { LoadedServer } from './server';

export interface QuoteLoad {
  sockets: number;
  /** Instruments that each socket asks for, drawn by the seed. */
  codes: number;
  /** At most one row an instrument in so many ms; 0: every tick. */
  interval: number;
  /** Ask for compact rows, where the server knows them. */
  compact: boolean;
  /** So many of the sockets stop reading for two of every four seconds. */
  slow: number;
  /** Seconds of measuring, after three of warming up. */
  seconds: number;
  seed: number;
}

export interface QuoteResult {
  /** Of one core. */
  cores: number;
  memoryMb: number;
  messagesPerSecond: number;
  /** CPU of the server, µs a message. */
  cpuPerMessage: number;
  bytesPerMessage: number;
  /** Arrival minus `Time` of the newest row of a message, ms, at one socket in fifty. */
  age: Quantiles;
  /** Sockets that the server closed. */
  lost: number;
}

const WARM_UP_MS = 3_000;
const PING_MS = 5_000;
const SLOW_MS = 2_000;
const SAMPLED = 50;
const OPENED_AT_ONCE = 50;

/** Thousands of phones that watch a list. */
export async function loadQuotes(server: LoadedServer, load: QuoteLoad): Promise<QuoteResult> {
  const random = randomFrom(load.seed);
  const listed = await fetch(`http://127.0.0.1:${server.port}/v1/api/forex/trade_list`);
  const { data } = (await listed.json()) as { data: { Code: string; MarketStatus: number }[] };
  const codes = data.map(({ Code }) => Code);

  let messages = 0;
  let bytes = 0;
  let lost = 0;
  let measuring = false;
  const age = new Histogram();
  const sockets: RawSocket[] = [];
  const open = async (index: number) => {
    const sampled = index % SAMPLED === 0;
    const socket = await RawSocket.open(
      server.port,
      {
        message(size, text) {
          if (!measuring) return;
          messages++;
          bytes += size;
          if (text) noteAge(text, age);
        },
        closed() {
          if (measuring) lost++;
        },
      },
      sampled,
    );
    socket.send({
      type: 'sub',
      topic: 'DAY_MARKET',
      codes: shuffled(codes, random).slice(0, load.codes),
      interval: load.interval,
      ...(load.compact && { compact: 1 }),
    });
    sockets.push(socket);
  };
  for (let from = 0; from < load.sockets; from += OPENED_AT_ONCE) {
    const count = Math.min(OPENED_AT_ONCE, load.sockets - from);
    await Promise.all(Array.from({ length: count }, (_, index) => open(from + index)));
  }

  // As clients do: each its ping every 5 s, at a moment of its own.
  let pinged = 0;
  const perStep = Math.ceil(sockets.length / (PING_MS / 10));
  const pings = setInterval(() => {
    for (let count = 0; count < perStep; count++) {
      sockets[pinged++ % sockets.length]?.send({ type: 'ping' });
    }
  }, 10);
  let reading = true;
  const pauses = setInterval(() => {
    reading = !reading;
    for (const socket of sockets.slice(0, load.slow)) {
      if (reading) socket.resume();
      else socket.pause();
    }
  }, SLOW_MS);

  await wait(WARM_UP_MS);
  measuring = true;
  const before = server.usage();
  const begun = performance.now();
  await wait(load.seconds * 1000);
  const elapsed = performance.now() - begun;
  const after = server.usage();
  measuring = false;

  clearInterval(pings);
  clearInterval(pauses);
  for (const socket of sockets) socket.close();
  const cpuMs = after.cpuMs - before.cpuMs;
  return {
    cores: cpuMs / elapsed,
    memoryMb: after.memoryMb,
    messagesPerSecond: (messages / elapsed) * 1000,
    cpuPerMessage: (cpuMs * 1000) / messages,
    bytesPerMessage: bytes / messages,
    age: age.summary(),
    lost,
  };
}

/** Rows of both forms carry the time of their quote: `Time`, or the third of a compact row. */
function noteAge(text: string, age: Histogram): void {
  const { data } = JSON.parse(text) as { data?: ({ Time: number } | number[])[] };
  if (!Array.isArray(data)) return;
  const times = data.map((row) => Number(Array.isArray(row) ? row[2] : row.Time));
  age.add(Date.now() - Math.max(...times));
}
