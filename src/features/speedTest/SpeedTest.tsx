import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Workload } from '#domain/workload/workload';
import { language, useT } from '../../i18n/i18n';
import { dataSaverOn } from '../../preferences/dataSaver';
import { overlayShown } from '../../preferences/preferences';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Page } from '../../ui/Page';
import { useValue } from '../../useValue';
import { type BenchSession, startBenchWorker } from '../../worker/speedTestWorker';
import { refreshOf } from './measure';
import { Results } from './Results';
import { type Run, run } from './run';
import styles from './SpeedTest.module.css';
import { SpeedTestForm } from './SpeedTestForm';
import { type SpeedTestScreens, SpeedTestView } from './SpeedTestView';
import { loadSavedRun } from './savedRun';

const USUAL: Workload = {
  screen: 'list',
  source: 'device',
  instruments: 500,
  rate: 1000,
  rows: 20,
  perMessage: 20,
  spread: 'even',
  rhythm: 'steady',
  scrolling: 'still',
  seed: 1,
};

type Phase =
  | { name: 'idle'; message?: 'bench.hidden' | 'bench.failed' }
  | { name: 'running'; workload: Workload }
  | { name: 'done'; run: Run };

/** Runs a benchmark of this app on the user's device, with the real screens, worker and frames. */
export function SpeedTest({ screens }: { screens: SpeedTestScreens }) {
  const t = useT();
  const overlay = useValue(overlayShown);
  const [workload, setWorkload] = useState(USUAL);
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [saved, setSaved] = useState<Run>();

  useEffect(() => {
    void loadSavedRun().then(setSaved);
  }, []);

  return (
    <Page title={t('bench.title')} className={styles.bench}>
      {phase.name === 'running' ? (
        <Running
          workload={phase.workload}
          screens={screens}
          onDone={(done) => setPhase({ name: 'done', run: done })}
          onEnd={(message) => setPhase({ name: 'idle', ...(message && { message }) })}
        />
      ) : (
        <>
          <p>{t('bench.intro')}</p>
          <Checkbox
            checked={overlay}
            onChange={(next) => {
              overlayShown.value = next;
            }}
          >
            {t('overlay.show')}
          </Checkbox>
          <SpeedTestForm workload={workload} onChange={setWorkload} />
          <Button variant="primary" wide onClick={() => setPhase({ name: 'running', workload })}>
            {t('bench.start')}
          </Button>
        </>
      )}
      {phase.name === 'idle' && phase.message && <p role="alert">{t(phase.message)}</p>}
      {phase.name === 'done' && (
        <Results key={phase.run.at} run={phase.run} saved={saved} onSave={setSaved} />
      )}
    </Page>
  );
}

interface RunningProps {
  workload: Workload;
  screens: SpeedTestScreens;
  onDone(run: Run): void;
  onEnd(message?: 'bench.hidden' | 'bench.failed'): void;
}

/** One run, from mounting until it ends or the user stops it. */
function Running({ workload, screens, onDone, onEnd }: RunningProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const intervals = useRef<number[]>([]);
  const [session, setSession] = useState<BenchSession>();
  const [left, setLeft] = useState<number>();
  const [dataSaver] = useState(() => dataSaverOn.peek());

  useEffect(() => {
    const started = startBenchWorker(workload, language.peek(), dataSaver);
    setSession(started);
    return started.end;
  }, [workload, dataSaver]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a run starts once for each worker, when its screen is mounted
  useEffect(() => {
    if (!session) return;
    const ending = new AbortController();
    const onHidden = () => ending.abort('hidden');
    document.addEventListener('visibilitychange', onHidden);
    run({
      session,
      workload,
      dataSaver,
      box: box.current as HTMLElement,
      signal: ending.signal,
      frame: (interval) => intervals.current.push(interval),
      left: setLeft,
    }).then(onDone, (error) => {
      if (ending.signal.reason === 'left') return;
      if (!ending.signal.aborted) reportError(error);
      onEnd(ending.signal.aborted ? 'bench.hidden' : 'bench.failed');
    });
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      ending.abort('left');
    };
  }, [session]);

  return (
    <>
      <div className={styles.progress}>
        <p role="status">
          {left === undefined ? t('bench.warming') : t('bench.running', { seconds: left })}
        </p>
        <Button onClick={() => onEnd()}>{t('bench.stop')}</Button>
      </div>
      <FrameChart intervals={intervals} label={t('bench.frameTimes')} />
      {session && <SpeedTestView workload={workload} screens={screens} box={box} />}
    </>
  );
}

/** Number of bars: the latest frames. */
const FRAMES = 240;
/** Full height, ms. */
const TALLEST = 100;
const EVERY_MS = 100;

/** The duration of each frame as a bar. Drawn ten times a second, so that it costs little. */
function FrameChart({ intervals, label }: { intervals: RefObject<number[]>; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (canvas.current) draw(canvas.current, intervals.current);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [intervals]);
  return <canvas ref={canvas} className={styles.chart} role="img" aria-label={label} />;
}

function draw(canvas: HTMLCanvasElement, intervals: readonly number[]): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const style = getComputedStyle(canvas);
  context.clearRect(0, 0, width, height);
  const bar = width / FRAMES;
  const refresh = refreshOf(intervals) ?? 0;
  for (const [index, interval] of intervals.slice(-FRAMES).entries()) {
    // Highlight frames that took longer than one refresh of the screen.
    context.fillStyle = interval > refresh * 1.5 ? style.outlineColor : style.color;
    const tall = Math.min(1, interval / TALLEST) * height;
    context.fillRect(index * bar, height - tall, Math.max(1, bar - 1), tall);
  }
}
