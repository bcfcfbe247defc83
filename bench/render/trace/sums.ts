import { type Cpu, ROLES, type Role, roleOf } from '../harness/threads';

/** What a thread's time is spent on, in the order in which it is drawn. */
export const KINDS = [
  'script',
  'parse and compile',
  'style',
  'layout',
  'paint',
  'compositing',
  'raster',
  'garbage collection',
  'messages',
  'other',
] as const;
export type Kind = (typeof KINDS)[number];
/** ms. */
export type Kinds = Record<Kind, number>;

/** An event of Chromium's trace; times in µs. Only complete ones (`X`) last. */
export interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  /** CPU time of the thread meanwhile. */
  tdur?: number;
  pid: number;
  tid: number;
  args?: { name?: string; data?: { functionName?: string } };
}

/** Time in one kind of event, without the events inside it. */
interface Costly {
  role: Role;
  event: string;
  kind: Kind;
  ms: number;
}

export interface Sums {
  /** The process of the page. */
  page: number;
  roles: Record<Role, Kinds>;
  /** The same by process and thread; threads with the same name are one. */
  threads: { process: string; thread: string; role: Role; kinds: Kinds }[];
  costly: Costly[];
  /** Tasks of the page's thread of at least 50 ms of wall time, and their CPU time. */
  long: { count: number; kinds: Kinds };
}

/** What the trace itself needs is nobody's work. */
export function isRecorder(process: string, thread: string): boolean {
  return /tracing/i.test(process) || thread === 'PerfettoTrace';
}

/** The first that matches decides; events that none matches belong to what surrounds them. */
const RULES: readonly [RegExp, Kind][] = [
  [/^(Minor|Major)GC$|^V8\.GC|^(Blink|Cpp)GC|^CppHeap/, 'garbage collection'],
  [
    /^v8\.(compile|parse|produceCache|deserialize)|^V8\.(Parse|PreParse|Compile|Optimize|Finalize|Maglev|Turbo|TF|Baseline|Sparkplug|Bytecode|Deserialize|Concurrent|Recompile)|^(BackgroundCompile|StreamingCompile)|^FlushInstructionCache$|^Parse(HTML|AuthorStyleSheet)|^HTMLDocumentParser/,
    'parse and compile',
  ],
  [/^(UpdateLayoutTree|RecalculateStyles|ScheduleStyleRecalculation)$/, 'style'],
  [
    /^(Layout|InvalidateLayout)$|^LocalFrameView::(performLayout|layout|RunStyleAndLayout)|^IntersectionObserver/,
    'layout',
  ],
  [/^(PrePaint|Paint|PaintImage|CullRectUpdate)$|^LocalFrameView::Run(Pre)?Paint/, 'paint'],
  [/Raster|^ImageDecodeTask$|^Decode /, 'raster'],
  [
    /^(Layerize|Commit|UpdateLayer|CompositeLayers|DrawFrame|Graphics\.Pipeline)$|BeginMainFrame|BeginFrame|BeginImplFrame|^LocalFrameView::RunCompositing|^(LayerTreeHostImpl|LayerTreeImpl|ProxyImpl|TileManager|Scheduler|DirectRenderer|DisplayScheduler)::/,
    'compositing',
  ],
  [
    /^(FunctionCall|EvaluateScript|TimerFire|FireAnimationFrame|FireIdleCallback|EventDispatch|RunMicrotasks)$|^v8\.|^V8\.|PerformMicrotaskCheckpoint/,
    'script',
  ],
  [
    /mojo|^SimpleWatcher|^EpollEvent$|^(Schedule|Handle)PostMessage$|^WebSocket|^Resource(Send|Receive|Finish|Change|WillSend)|^MessagePort/,
    'messages',
  ],
];

const known = new Map<string, Kind | undefined>();

function kindOf(name: string): Kind | undefined {
  if (!known.has(name)) known.set(name, RULES.find(([rule]) => rule.test(name))?.[1]);
  return known.get(name);
}

/** The kind of a task that nothing inside tells. */
function usualKind(thread: string): Kind {
  if (/Compositor/.test(thread)) return 'compositing';
  return /IOThread/.test(thread) ? 'messages' : 'other';
}

export function nothing(): Kinds {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Kinds;
}

/** A task from here on is a long one, µs. */
const LONG = 50_000;
/** Kept for each role. */
const MOST_COSTLY = 12;

interface Open {
  event: TraceEvent;
  kind: Kind;
  end: number;
  /** CPU time of the events inside, µs. */
  inside: number;
}

/** Splits the CPU time of a thread by what the innermost event was. */
function* own(events: readonly TraceEvent[], usual: Kind): Generator<[Open, number, TraceEvent]> {
  const sorted = [...events].sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const open: Open[] = [];
  let root: TraceEvent | undefined;
  const close = function* (until: number): Generator<[Open, number, TraceEvent]> {
    for (let done = open.at(-1); done && done.end <= until; done = open.at(-1)) {
      open.pop();
      // Some events have no CPU time: theirs belongs to what surrounds them.
      const { tdur } = done.event;
      const outer = open.at(-1);
      if (outer) outer.inside += tdur ?? done.inside;
      if (tdur !== undefined) yield [done, tdur - done.inside, root as TraceEvent];
    }
  };
  for (const event of sorted) {
    yield* close(event.ts);
    if (open.length === 0) root = event;
    const kind = kindOf(event.name) ?? open.at(-1)?.kind ?? usual;
    open.push({ event, kind, end: event.ts + (event.dur ?? 0), inside: 0 });
  }
  yield* close(Number.POSITIVE_INFINITY);
}

/** The renderer whose main thread worked most. */
function pageOf(events: readonly TraceEvent[], mains: ReadonlySet<string>): number {
  const spent = new Map<number, number>();
  for (const { pid, tid, tdur = 0 } of events) {
    if (mains.has(`${pid}/${tid}`)) spent.set(pid, (spent.get(pid) ?? 0) + tdur);
  }
  return [...spent].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** CPU time of a trace, ms: by role, by thread, and of the most expensive events. */
export function sum(events: readonly TraceEvent[]): Sums {
  const processes = new Map<number, string>();
  const threads = new Map<string, string>();
  const byThread = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const key = `${event.pid}/${event.tid}`;
    if (event.ph === 'X') {
      const found = byThread.get(key);
      if (found) found.push(event);
      else byThread.set(key, [event]);
    }
    if (event.ph !== 'M') continue;
    if (event.name === 'process_name') processes.set(event.pid, event.args?.name ?? '');
    if (event.name === 'thread_name') threads.set(key, event.args?.name ?? '');
  }
  const mains = new Set(
    [...threads].filter(([, name]) => name === 'CrRendererMain').map(([key]) => key),
  );
  const page = pageOf(events, mains);

  const roles = Object.fromEntries(ROLES.map((role) => [role, nothing()])) as Sums['roles'];
  const named = new Map<string, Sums['threads'][number]>();
  const costly = new Map<string, Costly>();
  const long = { count: 0, kinds: nothing() };
  for (const [key, spans] of byThread) {
    const [pid = 0, tid = 0] = key.split('/').map(Number);
    const process = processes.get(pid) ?? '';
    const thread = threads.get(key) ?? '';
    if (isRecorder(process, thread)) continue;
    const role = roleOf(
      {
        pid,
        tid: mains.has(key) ? pid : tid,
        process: process === 'GPU Process' ? 'gpu-process' : process,
        name: thread,
      },
      page,
    );
    const name = `${process} ${thread} ${role}`;
    const entry = named.get(name) ?? { process, thread, role, kinds: nothing() };
    named.set(name, entry);
    let lastLong: TraceEvent | undefined;
    for (const [{ event, kind }, us, root] of own(spans, usualKind(thread))) {
      const ms = us / 1000;
      entry.kinds[kind] += ms;
      roles[role][kind] += ms;
      const called = event.args?.data?.functionName;
      const title = called ? `${event.name} ${called}` : event.name;
      const cost = costly.get(`${role} ${kind} ${title}`) ?? { role, event: title, kind, ms: 0 };
      cost.ms += ms;
      costly.set(`${role} ${kind} ${title}`, cost);
      if (role !== 'react' || (root.dur ?? 0) < LONG) continue;
      if (root !== lastLong) long.count += 1;
      lastLong = root;
      long.kinds[kind] += ms;
    }
  }
  const dear = [...costly.values()].sort((a, b) => b.ms - a.ms);
  return {
    page,
    roles,
    threads: [...named.values()],
    costly: ROLES.flatMap((role) =>
      dear.filter((each) => each.role === role).slice(0, MOST_COSTLY),
    ),
    long,
  };
}

/**
 * The sums of a trace completed by the scheduler's account: what it has and the trace has not, such
 * as waking up and waiting, is `other`.
 */
export function completed(roles: Sums['roles'], cpu: Cpu): Sums['roles'] {
  return Object.fromEntries(
    ROLES.map((role) => {
      const traced = Object.values(roles[role]).reduce((total, ms) => total + ms, 0);
      const more = Math.max(0, cpu[role] - traced);
      return [role, { ...roles[role], other: roles[role].other + more }];
    }),
  ) as Sums['roles'];
}
