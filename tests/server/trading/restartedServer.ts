import { ServerProcess } from '../support/serverProcess';
import type { ServerAddress } from './faultyClient';

export { freePort } from '../support/freePort';

/** The bundled server, killed repeatedly and restarted on the same data. */
export class RestartedServer implements ServerAddress {
  kills = 0;
  private readonly bundle: string;
  private readonly data: string;
  private readonly database: readonly string[];
  private readonly args: readonly string[];
  private process: ServerProcess;
  private ready: Promise<string>;

  /** `port` is the same after every restart; `databaseUrl` is empty for the embedded database. */
  constructor(bundle: string, data: string, port: number, databaseUrl = '') {
    this.bundle = bundle;
    this.data = data;
    this.database = ['--database-url', databaseUrl];
    this.args = [
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--ticks-per-second',
      '50',
      '--seed',
      '1',
    ];
    this.process = this.start();
    this.ready = this.process.url();
  }

  url(): Promise<string> {
    return this.ready;
  }

  failed(): void {}

  /** Two simultaneous calls kill it twice, one after the other. */
  kill(): Promise<string> {
    this.kills++;
    // Callers wait for the new process.
    this.ready = this.ready.then(async () => {
      await this.process.kill();
      this.process = this.start();
      return this.process.url();
    });
    return this.ready;
  }

  async stop(): Promise<number | null> {
    this.process.child.kill('SIGTERM');
    return this.process.exit;
  }

  async audit(): Promise<string> {
    const audit = new ServerProcess(this.bundle, this.data, 'audit', ...this.database);
    await audit.exit;
    return audit.output;
  }

  private start(): ServerProcess {
    return new ServerProcess(this.bundle, this.data, ...this.database, ...this.args);
  }
}
