import { effect } from '@preact/signals-core';
import { unseen } from '../ui/pageTitle';
import { counting, type SoundKind, sounding } from './alertSettings';

/** The notes of each kind, Hz: an order rises, an alert repeats. */
const NOTES: Record<SoundKind, readonly number[]> = {
  orders: [659, 988],
  alerts: [880, 880, 880],
};
/** Length of a note, s. */
const NOTE = 0.14;
/** Orders that end together sound once, ms. */
const PAUSE = 1000;

let audio: AudioContext | undefined;
let soundedAt = Number.NEGATIVE_INFINITY;

/** Tells of an order or an alert: by a sound, if the user wants it, and by the count of a hidden page. */
export function call(kind: SoundKind): void {
  if (document.hidden && counting.peek()) unseen.value += 1;
  // A window of a workspace has a main page that sounds.
  if (sounding.peek().includes(kind) && !location.hash.startsWith('#/panel')) play(kind);
}

/** Plays the tones of a kind. Browsers refuse it before the page was touched. */
export function play(kind: SoundKind): void {
  const now = performance.now();
  if (now - soundedAt < PAUSE) return;
  soundedAt = now;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [index, frequency] of NOTES[kind].entries()) {
    tone(audio, frequency, audio.currentTime + index * NOTE);
  }
}

function tone(context: AudioContext, frequency: number, start: number): void {
  const source = new OscillatorNode(context, { frequency, type: 'triangle' });
  const volume = new GainNode(context, { gain: 0 });
  // Without a slope at both ends a tone begins and ends with a click.
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.2, start + 0.01);
  volume.gain.linearRampToValueAtTime(0, start + NOTE);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + NOTE);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) unseen.value = 0;
});

/** The icon of the page, without a count. */
let icon: string | undefined;

effect(() => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  icon ??= link.href;
  const next = unseen.value > 0 ? badge(unseen.value) : icon;
  if (link.href !== next) link.href = next;
});

/** The icon with a count, which a tab of 16 px still shows. */
function badge(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="10" fill="#1257c4"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
