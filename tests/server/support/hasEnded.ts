import type { ChildProcess } from 'node:child_process';

/** Whether a process has exited, or a signal has ended it: then it has no exit code. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
