/** One at a time, in the order of asking. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn;
  }
}
