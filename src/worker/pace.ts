import { FRAME_MS } from '#domain/worker/workerApi';

/** The present pace of the list: ms between two frames (D68). */
let pace: number = FRAME_MS;

export function currentPace(): number {
  return pace;
}

export function setCurrentPace(next: number): void {
  pace = next;
}
