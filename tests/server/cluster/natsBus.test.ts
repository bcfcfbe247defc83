import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { NatsBus } from '../../../server/cluster/natsBus';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { RecordingLog } from '../market/recordingListener';
import { Link } from '../support/links';
import { startNats } from '../support/nats';

unless(inTurn(it), missing('NATS'))(
  'a connection to NATS that is silent is replaced within seconds',
  { timeout: 60_000 },
  async () => {
    const nats = await startNats();
    const link = await Link.open(Number(new URL(nats.url).port));
    const answering = await NatsBus.open(nats.url, 'answering', new RecordingLog());
    answering.answer('question', (data) => data);
    const bus = await NatsBus.open(`nats://127.0.0.1:${link.port}`, 'cut off', new RecordingLog());
    try {
      const data = new Uint8Array([7]);
      expect([...(await bus.ask('question', data))]).toEqual([7]);
      const reconnected = new Promise<void>((resolve) => bus.onReconnected(resolve));
      const cutAt = performance.now();
      link.cut(['up', 'down'], 'lose');
      link.heal();
      await reconnected;
      // A machine that is busy adds to the three pings.
      expect(performance.now() - cutAt).toBeLessThan(15_000);
      expect([...(await bus.ask('question', data))]).toEqual([7]);
    } finally {
      await bus.close();
      await answering.close();
      link.stop();
      await nats.kill();
    }
  },
);

it('a login that NATS refuses is tried until it is taken, and told once', async () => {
  let refusals = 0;
  let last: Socket | undefined;
  const server = createServer((socket) => {
    last = socket;
    socket.write('INFO {"version":"2.12.0","max_payload":1048576}\r\n');
    socket.on('data', (data) => {
      if (!data.includes('PING')) return;
      if (refusals === 0) socket.write('PONG\r\n');
      else {
        refusals--;
        socket.end("-ERR 'Authorization Violation'\r\n");
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const log = new RecordingLog();
  const ended = () => expect.fail('the connection is closed');
  const bus = await NatsBus.open(`nats://127.0.0.1:${port}`, 'test', log, undefined, ended);
  const reconnected = new Promise<void>((resolve) => bus.onReconnected(resolve));
  refusals = 3;
  last?.destroy();
  await reconnected;
  expect(refusals).toBe(0);
  expect(log.warnings).toEqual(['NATS: the connection broke.']);
  expect(log.errors).toEqual(['NATS: Authorization Violation']);
  await bus.close();
  server.close();
});
