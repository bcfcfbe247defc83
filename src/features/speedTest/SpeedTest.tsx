import { type RefObject, useEffect, useRef, useState } from 'react';
import { DEVICE_PLAN, type DeviceStep } from '#domain/workload/devicePlan';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { refreshOf } from '#domain/workload/frames';
import { formatCount } from '../../i18n/format';
import { language, useT } from '../../i18n/i18n';
import { overlayShown } from '../../preferences/preferences';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Page } from '../../ui/Page';
import { useValue } from '../../useValue';
import { type BenchSession, startBenchWorker } from '../../worker/speedTestWorker';
import { deviceAbout } from './device';
import { type PlayedStep, playStep } from './playStep';
import { Results } from './Results';
import styles from './SpeedTest.module.css';
import { type SpeedTestScreens, SpeedTestView } from './SpeedTestView';
import { loadSavedRun, saveRun } from './savedRun';

type Phase =
  | { name: 'idle'; message?: 'bench.hidden' | 'bench.failed' }
  | { name: 'running'; results: DeviceResults }
  | { name: 'done'; results: DeviceResults; before: DeviceResults | undefined };

/** Measures this app on the user's device, with the real screens, worker and frames: the plan of the benchmark. */
export function SpeedTest({ screens }: { screens: SpeedTestScreens }) {
  const t = useT();
  const overlay = useValue(overlayShown);
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });

  async function onPlayed(results: DeviceResults, step: DeviceStep, played: PlayedStep) {
    const { contender, workload } = step;
    const run = { section: 'device', contender, workload, round: 0, ...played };
    const next = { ...results, runs: [...results.runs, run] };
    if (next.runs.length < DEVICE_PLAN.length) {
      setPhase({ name: 'running', results: next });
      return;
    }
    const before = await loadSavedRun();
    setPhase({ name: 'done', results: next, before });
    await saveRun(next);
  }

  const running = phase.name === 'running' ? phase.results : undefined;
  const step = running && DEVICE_PLAN[running.runs.length];
  return (
    <Page title={t('bench.title')} className={styles.bench}>
      {running && step ? (
        <Running
          key={running.runs.length}
          number={running.runs.length + 1}
          step={step}
          screens={screens}
          onPlayed={(played) => void onPlayed(running, step, played)}
          onEnd={(message) => setPhase({ name: 'idle', ...(message && { message }) })}
        />
      ) : (
        <>
          {phase.name === 'idle' && <p>{t('bench.intro')}</p>}
          {phase.name === 'done' && <Results results={phase.results} before={phase.before} />}
          <Checkbox
            checked={overlay}
            onChange={(next) => {
              overlayShown.value = next;
            }}
          >
            {t('overlay.show')}
          </Checkbox>
          <Button
            variant="primary"
            wide
            onClick={() =>
              setPhase({ name: 'running', results: { about: deviceAbout(), bytes: {}, runs: [] } })
            }
          >
            {t('bench.start')}
          </Button>
        </>
      )}
      {phase.name === 'idle' && phase.message && <p role="alert">{t(phase.message)}</p>}
    </Page>
  );
}

interface RunningProps {
  /** From 1. */
  number: number;
  step: DeviceStep;
  screens: SpeedTestScreens;
  onPlayed(played: PlayedStep): void;
  onEnd(message?: 'bench.hidden' | 'bench.failed'): void;
}

/** One step, from mounting until it ends or the user stops it. */
function Running({ number, step, screens, onPlayed, onEnd }: RunningProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const intervals = useRef<number[]>([]);
  const [session, setSession] = useState<BenchSession>();
  const [left, setLeft] = useState<number>();

  useEffect(() => {
    const started = startBenchWorker(step.workload, language.peek());
    setSession(started);
    return started.end;
  }, [step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a step starts once for each worker, when its screen is mounted
  useEffect(() => {
    if (!session) return;
    const ending = new AbortController();
    const onHidden = () => ending.abort('hidden');
    document.addEventListener('visibilitychange', onHidden);
    playStep({
      session,
      step,
      box: box.current as HTMLElement,
      signal: ending.signal,
      frame: (interval) => intervals.current.push(interval),
      left: setLeft,
    }).then(onPlayed, (error) => {
      if (ending.signal.reason === 'left') return;
      if (!ending.signal.aborted) reportError(error);
      onEnd(ending.signal.aborted ? 'bench.hidden' : 'bench.failed');
    });
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      ending.abort('left');
    };
  }, [session]);

  const place = `${formatCount(number)}/${formatCount(DEVICE_PLAN.length)}`;
  return (
    <>
      <div className={styles.progress}>
        <p role="status">
          <bdi>{place}</bdi>{' '}
          {left === undefined ? t('bench.warming') : t('bench.running', { seconds: left })}
        </p>
        <Button onClick={() => onEnd()}>{t('bench.stop')}</Button>
      </div>
      <FrameChart intervals={intervals} label={t('bench.frameTimes')} />
      {session && <SpeedTestView step={step} screens={screens} box={box} />}
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
  const refresh = refreshOf(intervals);
  for (const [index, interval] of intervals.slice(-FRAMES).entries()) {
    // Highlight frames that took longer than one refresh of the screen.
    context.fillStyle = interval > refresh * 1.5 ? style.outlineColor : style.color;
    const tall = Math.min(1, interval / TALLEST) * height;
    context.fillRect(index * bar, height - tall, Math.max(1, bar - 1), tall);
  }
}
