import { FRAME_MS } from '#domain/worker/workerApi';

/** The present frame interval of the list, ms (D68). */
let frameInterval: number = FRAME_MS;

export function currentFrameInterval(): number {
  return frameInterval;
}

export function setCurrentFrameInterval(next: number): void {
  frameInterval = next;
}
