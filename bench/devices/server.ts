import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import { randomFrom } from '#domain/workload/draws';
import { quantileOf, shuffled } from '../lib/statistics';
import { ages } from '../render/harness/ages';
import { type Contender, contender } from '../render/harness/contenders';
import { Player, unixNow } from '../render/harness/player';
import {
  describeList,
  noteFirstQuote,
  rowsInSight,
  watchPrices,
  watchSmoothness,
} from '../render/harness/probe';
import { answer, answers, page, type Site, sendFile } from '../render/harness/site';
import { type Recording, record, stateAfter } from '../render/harness/stream';
import { MAIN } from '../render/harness/workload';
import { RUNNER } from './page';
import {
  type DeviceResult,
  deviceSchema,
  type Figures,
  type Played,
  printable,
  type Report,
  reportSchema,
  shownSchema,
  slug,
} from './result';
import { playStage, type Stage, type Tools } from './visit';

interface Options extends Site {
  /** Where results are written. */
  out: string;
  /** Seconds of each contender. */
  warmUp: number;
  window: number;
  done(result: DeviceResult, file: string): void;
}

interface Step {
  contender: Contender;
  scrolling: boolean;
  fresh: boolean;
  base: string | undefined;
}

interface Visit {
  id: string;
  begunAt: number;
  steps: Step[];
  /** Of the present step; the next one begins when the device asks for it. */
  player: Player | undefined;
  right: boolean;
  result: DeviceResult;
}

const BODY_BYTES = 2_000_000;
/** Of visits that have not ended. */
const MOST_VISITS = 16;
const MOST_FILES = 500;
const VISIT_MS = 20 * 60_000;
const PATIENCE_MS = 20_000;
const COOKIE = 'fulcrum-visit';

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The suite for any browser that reaches it; a result is written when a visit has ended. */
export function createDeviceServer(options: Options): Server {
  const seconds = options.warmUp + options.window + 3 * (PATIENCE_MS / 1000);
  // One instrument of the screens moves as often as the list's rows together.
  const lists = record(MAIN, seconds);
  const screens = record({ ...MAIN, first: 20 }, seconds);
  const calls = answers(lists);
  const visits = new Map<string, Visit>();

  const visitOf = (request: IncomingMessage): Visit | undefined => {
    const cookie = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '');
    return visits.get(cookie?.[1] ?? '');
  };
  const stepOf = ({ steps, result }: Visit) => steps[result.played.length];
  const recordingOf = ({ contender }: Step) => (contender.screen ? screens : lists);

  function begin(device: DeviceResult['device'], agent: string): Visit {
    for (const { id, begunAt } of visits.values()) {
      if (unixNow() - begunAt > VISIT_MS) forget(id);
    }
    const playing = [...visits.values()].filter((one) => stepOf(one) !== undefined);
    if (playing.length >= MOST_VISITS) throw new Refused(429, 'too many devices at once');
    mkdirSync(options.out, { recursive: true });
    if (readdirSync(options.out).length >= MOST_FILES) {
      throw new Refused(429, `${options.out} has ${MOST_FILES} results`);
    }
    const id = randomUUID();
    const at = new Date().toISOString();
    const visit: Visit = {
      id,
      begunAt: unixNow(),
      steps: inOrder(Date.now()),
      player: undefined,
      right: false,
      result: {
        at,
        agent: printable(agent),
        device: { ...device, label: slug(device.label) },
        played: [],
      },
    };
    visits.set(id, visit);
    return visit;
  }

  function forget(id: string): void {
    visits.get(id)?.player?.stop();
    visits.delete(id);
  }

  function next(visit: Visit): string {
    visit.player?.stop();
    const step = stepOf(visit);
    if (!step) return '/devices';
    visit.player = new Player(recordingOf(step));
    visit.right = false;
    return step.contender.path;
  }

  function take(visit: Visit, report: Report): void {
    const step = stepOf(visit);
    if (!step || !visit.player) throw new Refused(409, 'nothing is played');
    const { contender, scrolling, base } = step;
    const failure = 'failure' in report ? report.failure : visit.right ? undefined : 'gate';
    visit.player.stop();
    visit.result.played.push({
      contender: contender.name,
      scrolling,
      base,
      ...(failure !== undefined && { failure }),
      ...(failure === undefined &&
        !('failure' in report) && {
          figures: figures(report, recordingOf(step), visit.player, scrolling),
        }),
    });
    visit.player = undefined;
    if (!stepOf(visit)) write(visit);
  }

  function write({ result, id }: Visit): void {
    const time = result.at.replace(/\D/g, '').slice(0, 14);
    const file = join(options.out, `${time}-${result.device.label}-${id.slice(0, 8)}.json`);
    writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`, { flag: 'wx' });
    options.done(result, file);
  }

  function right(visit: Visit, shown: v.InferOutput<typeof shownSchema>): boolean {
    const step = stepOf(visit);
    if (!step || !visit.player || 'rows' in shown !== (step.contender.screen === undefined)) {
      return false;
    }
    const recording = recordingOf(step);
    const state = stateAfter(recording, visit.player.sentAt.length);
    if ('rows' in shown) {
      return (
        shown.rows.length >= 3 &&
        shown.rows.every(({ name, price, change }) => {
          const wanted = state.get(name);
          return price === wanted?.price && change === wanted.change;
        })
      );
    }
    const wanted = state.get(recording.instruments[0]?.ShowCode ?? '')?.price;
    return shown.price === wanted && shown.close === Number(wanted);
  }

  async function post(request: IncomingMessage, path: string): Promise<[unknown, string?]> {
    const body = await bodyOf(request);
    if (path === 'clock') return [{ now: unixNow() }];
    if (path === 'visit') {
      const visit = begin(read(deviceSchema, body), request.headers['user-agent'] ?? '');
      return [{}, `${COOKIE}=${visit.id}; Path=/; HttpOnly; SameSite=Strict`];
    }
    const visit = visitOf(request);
    if (!visit) throw new Refused(409, 'no visit');
    if (path === 'stop') visit.player?.stop();
    else if (path === 'gate') visit.right = right(visit, read(shownSchema, body));
    else if (path === 'report') take(visit, read(reportSchema, body));
    else throw new Refused(404, 'no such call');
    return [{ right: visit.right }];
  }

  /** The probe runs before the page's own scripts. */
  function probe(step: Step): string {
    const stage: Stage = {
      selectors: step.contender.selectors,
      screen: step.contender.screen,
      scrolling: step.scrolling,
      fresh: step.fresh,
      listed: Object.fromEntries(
        lists.instruments.map(({ ShowCode, ForexQuotations }) => [ShowCode, ForexQuotations.Close]),
      ),
      warmUp: options.warmUp,
      window: options.window,
      patience: PATIENCE_MS,
    };
    const tools: Tools = {
      describeList,
      noteFirstQuote,
      rowsInSight,
      watchPrices,
      watchSmoothness,
    };
    const texts = Object.entries(tools).map(([name, code]) => `${name}: ${code}`);
    return `void (${playStage})(${JSON.stringify(stage)}, {${texts.join(',\n')}});`;
  }

  function get(request: IncomingMessage, url: URL, response: ServerResponse): void {
    const { pathname } = url;
    const visit = visitOf(request);
    const step = visit && stepOf(visit);
    response.setHeader('cache-control', 'no-store');
    const html = (text: string) => send(response, 200, 'text/html; charset=utf-8', text);
    if (pathname === '/devices') {
      html(RUNNER);
      return;
    }
    if (pathname === '/devices/result') {
      if (!visit || step) throw new Refused(404, 'no result yet');
      send(response, 200, 'application/json', JSON.stringify(visit.result));
      return;
    }
    if (pathname === '/devices/probe.js' && step) {
      send(response, 200, 'text/javascript; charset=utf-8', probe(step));
      return;
    }
    if (pathname === '/devices/next' || (pathname === '/' && !step)) {
      response.writeHead(302, {
        location: visit ? next(visit) : '/devices',
        'set-cookie': 'language=en; Path=/',
      });
      response.end();
      return;
    }
    // It would answer the next page's navigation without the probe.
    if (request.headers['service-worker']) throw new Refused(404, 'no service worker');
    const named = /^\/page\/([\w-]+)$/.exec(pathname)?.[1];
    const shown = named === undefined ? undefined : options.pages[named];
    if (pathname === '/' || shown) {
      const source = shown
        ? page(named ?? '', shown)
        : readFileSync(join(options.folders[''] ?? '', 'index.html'), 'utf8');
      html(source.replace('<head>', '<head><script src="/devices/probe.js"></script>'));
      return;
    }
    if (/^\/(api|v1)\//.test(pathname)) answer(calls, url, response);
    else sendFile(options, pathname, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof Refused ? error.status : 400;
      const message = error instanceof Refused ? error.message : 'not understood';
      if (!response.headersSent) {
        send(response, status, 'application/json', JSON.stringify({ error: message }));
      }
    });
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://device');
    const call = /^\/devices\/(\w+)$/.exec(url.pathname)?.[1];
    if (request.method !== 'POST' || call === undefined) {
      get(request, url, response);
      return;
    }
    const [body, cookie] = await post(request, call);
    if (cookie) response.setHeader('set-cookie', cookie);
    send(response, 200, 'application/json', JSON.stringify(body));
  }

  const sockets = new WebSocketServer({
    server,
    path: '/v1/ws',
    perMessageDeflate: false,
    maxPayload: 65_536,
  });
  sockets.on('connection', (socket, request) => {
    // It closes the socket after a message that it does not accept.
    socket.on('error', () => {});
    const player = visitOf(request)?.player;
    if (player) player.connect(socket, request.url ?? '');
    else socket.close();
  });
  server.on('close', () => {
    for (const id of visits.keys()) forget(id);
    sockets.close();
    for (const socket of sockets.clients) socket.terminate();
  });
  return server;
}

/** Each contender's list at rest first, where the first quote is measured; in random order each. */
function inOrder(seed: number): Step[] {
  const random = randomFrom(seed);
  const group = (names: string[], base: string, scrolling: boolean, fresh: boolean): Step[] =>
    shuffled(names, random).map((name) => ({
      contender: contender(name),
      scrolling,
      fresh,
      base: name === base ? undefined : base,
    }));
  return [
    ...group(['app', 'REF'], 'REF', false, true),
    ...group(['app', 'REF'], 'REF', true, false),
    ...group(['app, chart', 'app, ticket', 'REF trade'], 'REF trade', false, false),
  ];
}

function figures(
  report: Exclude<Report, { failure: unknown }>,
  recording: Recording,
  { sentAt, late }: Player,
  scrolling: boolean,
): Figures {
  const { intervals, clock, longFrames, seconds } = report;
  const at = (values: readonly number[] | null, share: number) =>
    values?.length ? quantileOf(values, share) : null;
  const seen = report.seen.map((one) => ({ ...one, at: one.at + clock.offset }));
  const found = scrolling ? [] : ages(recording, sentAt, seen);
  return {
    rows: report.rows,
    firstQuote: report.firstQuote,
    framesPerSecond: intervals.length > 0 ? intervals.length / seconds : null,
    interval99: at(intervals, 0.99),
    longFramesPerMinute: longFrames && (longFrames.length * 60) / seconds,
    event95: at(report.events, 0.95),
    inputDelay95: at(report.inputDelays, 0.95),
    ageMedian: at(found, 0.5),
    age99: at(found, 0.99),
    clockError: clock.error,
    feedLate: late,
  };
}

function read<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw new Refused(400, 'not a result');
  return parsed.output;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  // Other sites may send forms here, but not JSON.
  if (request.headers['content-type'] !== 'application/json') throw new Refused(415, 'JSON only');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) throw new Refused(413, 'too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' });
  response.end(body);
}

/** Rows of a table; a ratio is to the contender's base in the same visit. */
export function tableOf({ played }: DeviceResult): Record<string, Record<string, string>> {
  const show = (value: number | null | undefined, digits: number) =>
    typeof value === 'number' && Number.isFinite(value) ? value.toFixed(digits) : 'n/a';
  const nameOf = ({ contender, scrolling }: Pick<Played, 'contender' | 'scrolling'>) =>
    `${contender}${scrolling ? ', flings' : ''}`;
  return Object.fromEntries(
    played.map((one) => {
      const { figures: own, failure, base, scrolling } = one;
      if (!own) return [nameOf(one), { failed: failure ?? '' }];
      const reference = played.find((o) => o.contender === base && o.scrolling === scrolling);
      const ratio = (name: 'firstQuote' | 'interval99' | 'ageMedian') => {
        const below = reference?.figures?.[name];
        const above = own[name];
        return show(above === null || !below ? null : above / below, 2);
      };
      return [
        nameOf(one),
        {
          rows: show(own.rows, 0),
          'first ms': show(own.firstQuote, 0),
          'frames/s': show(own.framesPerSecond, 1),
          'interval p99': show(own.interval99, 1),
          'long/min': show(own.longFramesPerMinute, 0),
          'event p95': show(own.event95, 0),
          'input p95': show(own.inputDelay95, 1),
          'age p50': show(own.ageMedian, 1),
          'age p99': show(own.age99, 1),
          // Of the clocks.
          '±': show(own.clockError, 1),
          'first, to base': ratio('firstQuote'),
          'interval, to base': ratio('interval99'),
          'age, to base': ratio('ageMedian'),
        },
      ];
    }),
  );
}
