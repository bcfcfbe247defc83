/** The pace that the list has now, ms between two frames (D68). */
let pace = 50;

export function currentPace(): number {
  return pace;
}

export function notePace(next: number): void {
  pace = next;
}
