import { type RefObject, useEffect, useRef } from 'react';
import { refreshOf } from './measure';
import styles from './SpeedTest.module.css';

/** Number of bars: the latest frames. */
const FRAMES = 240;
/** Full height, ms. */
const TALLEST = 100;
const EVERY_MS = 100;

/** The duration of each frame as a bar. Drawn ten times a second, so that it costs little. */
export function FrameChart({
  intervals,
  label,
}: {
  intervals: RefObject<number[]>;
  label: string;
}) {
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
