import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import { answers } from '#domain/workload/answers';
import { DEVICE_PATIENCE, DEVICE_PLAN } from '#domain/workload/devicePlan';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { deviceSample } from '#domain/workload/deviceSample';
import { randomFrom, shuffled } from '#domain/workload/draws';
import { isRight, type Shown } from '#domain/workload/gate';
import { MAIN, nameOf, type Workload } from '#domain/workload/workload';
import { fling } from '../../src/probe/fling';
import { observe } from '../../src/probe/observe';
import { rowsInSight } from '../../src/probe/rows';
import { type } from '../../src/probe/type';
import { watchPrices } from '../../src/probe/watchPrices';
import { watchSmoothness } from '../../src/probe/watchSmoothness';
import { type Contender, contender } from '../render/harness/contenders';
import { Player, unixNow } from '../render/harness/player';
import { describeList, noteFirstQuote } from '../render/harness/probe';
import { listedPrices } from '../render/harness/sample';
import { answer, page, type Site, sendFile } from '../render/harness/site';
import { BEGIN, type Recording, record, stateAfter } from '../render/harness/stream';
import { RUNNER } from './page';
import { deviceVerdict } from './print';
import { deviceSchema, printable, type Report, reportSchema, shownSchema, slug } from './result';
import { playStage, type Stage, type Tools } from './visit';

interface Options extends Site {
  /** Where results are written. */
  out: string;
  /** Seconds of each contender. */
  warmUp: number;
  window: number;
  done(file: string): void;
}

interface Step {
  contender: Contender;
  workload: Workload;
  /** The contender's first page in the visit. */
  fresh: boolean;
}

interface Visit {
  id: string;
  begunAt: number;
  steps: Step[];
  /** Of the present step; the next one begins when the device asks for it. */
  player: Player | undefined;
  right: boolean;
  label: string;
  result: DeviceResults;
}

const BODY_BYTES = 2_000_000;
/** Of visits that have not ended. */
const MOST_VISITS = 16;
const MOST_FILES = 500;
const VISIT_MS = 20 * 60_000;
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
  const seconds = options.warmUp + options.window + 3 * (DEVICE_PATIENCE / 1000);
  const recordings = new Map<string, Recording>();
  // The instruments and their prices are those of all.
  const main = record(MAIN, 0);
  const calls = answers(main.instruments, BEGIN);
  const visits = new Map<string, Visit>();

  const visitOf = (request: IncomingMessage): Visit | undefined => {
    const cookie = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '');
    return visits.get(cookie?.[1] ?? '');
  };
  const stepOf = ({ steps, result }: Visit) => steps[result.runs.length];
  function recordingOf({ workload }: Step): Recording {
    // The hand changes nothing of what is sent.
    const name = nameOf({ ...workload, hand: 'still' });
    const known = recordings.get(name) ?? record(workload, seconds);
    recordings.set(name, known);
    return known;
  }

  function begin({ label, ...device }: v.InferOutput<typeof deviceSchema>, agent: string): Visit {
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
      label: slug(label),
      result: {
        about: { at, browser: printable(agent), label: slug(label), ...known(device) },
        bytes: {},
        runs: [],
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
    const failure = 'failure' in report ? report.failure : visit.right ? undefined : 'gate';
    visit.player.stop();
    visit.result.runs.push({
      section: 'device',
      contender: step.contender.name,
      workload: step.workload,
      round: 0,
      ...(failure !== undefined && { failure }),
      ...(failure === undefined &&
        !('failure' in report) && {
          sample: deviceSample(report, recordingOf(step), visit.player),
        }),
    });
    visit.player = undefined;
    if (!stepOf(visit)) write(visit);
  }

  function write({ result, label, id }: Visit): void {
    const time = `${result.about['at']}`.replace(/\D/g, '').slice(0, 14);
    const file = join(options.out, `${time}-${label}-${id.slice(0, 8)}.json`);
    writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`, { flag: 'wx' });
    options.done(file);
  }

  function right(visit: Visit, shown: Shown): boolean {
    const step = stepOf(visit);
    if (!step || !visit.player || 'rows' in shown !== (step.contender.screen === undefined)) {
      return false;
    }
    const recording = recordingOf(step);
    const last = stateAfter(recording, visit.player.sentAt.length);
    return isRight(shown, last, recording.instruments[0]?.ShowCode ?? '');
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
      hand: step.workload.hand,
      fresh: step.fresh,
      listed: listedPrices(main),
      warmUp: options.warmUp,
      window: options.window,
      patience: DEVICE_PATIENCE,
    };
    const tools: Tools = {
      describeList,
      fling,
      noteFirstQuote,
      observe,
      rowsInSight,
      type,
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
      const verdict = deviceVerdict(visit.result.runs);
      send(response, 200, 'application/json', JSON.stringify({ verdict }));
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

/** The plan of `/bench`, each screen of the app and its page by hand in random order. */
function inOrder(seed: number): Step[] {
  const random = randomFrom(seed);
  return DEVICE_PLAN.flatMap(({ contender: name, floor, workload }, index) =>
    shuffled([name, floor], random).map((each) => ({
      contender: contender(each),
      workload,
      fresh: index === 0,
    })),
  );
}

/** What the browser tells. */
function known(device: Record<string, number | null>): Record<string, number> {
  const entries = Object.entries(device).filter(
    (entry): entry is [string, number] => entry[1] !== null,
  );
  return Object.fromEntries(entries);
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
