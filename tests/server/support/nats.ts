import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from './freePort';

export interface Nats {
  readonly url: string;
  /** Kills it. Its clients notice. */
  kill(): Promise<void>;
  /** Starts it again on its port. */
  start(): Promise<void>;
}

/** A private nats-server on loopback. */
export async function startNats(): Promise<Nats> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const nats: Nats = {
    url: `nats://127.0.0.1:${port}`,
    async kill() {
      if (!child) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = undefined;
    },
    async start() {
      child = spawn('nats-server', ['--addr', '127.0.0.1', '--port', `${port}`], {
        stdio: 'ignore',
      });
      while (!(await answers(port))) await after(20);
    },
  };
  await nats.start();
  return nats;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
