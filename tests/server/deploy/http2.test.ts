import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../helpers/eventually';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { freePort } from '../support/freePort';
import { bundleServer, ServerProcess } from '../support/serverProcess';
import { writeTlsProxy } from '../support/tlsProxy';

unless(describe, missing('HAProxy', 'OpenSSL'))('HAProxy with TLS', { timeout: 120_000 }, () => {
  let dist: string;
  let folder: string;
  let proxy: ChildProcess | undefined;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    dist = await bundleServer();
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-http2-'));
  }, 600_000);
  afterAll(async () => {
    proxy?.kill();
    await server?.kill();
    for (const each of [dist, folder]) rmSync(each, { recursive: true, force: true });
  });

  inTurn(it)('carries calls and websocket on one connection', async () => {
    const [tls, port] = [await freePort(), await freePort()];
    server = new ServerProcess(
      dist,
      join(folder, 'data'),
      '--port',
      `${port}`,
      '--trust-proxy',
      'loopback',
    );
    await server.url();
    proxy = spawn(
      'haproxy',
      ['-f', writeTlsProxy(folder, `127.0.0.1:${tls}`, `127.0.0.1:${port}`)],
      { stdio: 'ignore' },
    );
    const origin = `https://localhost:${tls}`;
    const session = await eventually(() => open(origin));
    const call = session.request({ ':path': '/v1/api/forex/trade_list' });
    call.setEncoding('utf8');
    let list = '';
    for await (const chunk of call) list += chunk;
    expect(JSON.parse(list)).toMatchObject({ code: 1 });

    const sub = JSON.stringify([{ type: 'sub', topic: 'DAY_MARKET' }]);
    const socket = session.request({
      ...{ ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https' },
      ...{ ':authority': `localhost:${tls}`, ':path': `/v1/ws?sub=${encodeURIComponent(sub)}` },
      ...{ 'sec-websocket-version': '13', origin },
    });
    const [headers] = await once(socket, 'response');
    expect(headers[':status']).toBe(200);
    let received = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk;
        if (received.includes('DAY_MARKET')) resolve();
      });
    });
    session.destroy();
  });
});

/** A connection whose other side takes websockets (RFC 8441). */
async function open(origin: string): Promise<ClientHttp2Session> {
  const session = connect(origin, { rejectUnauthorized: false });
  await once(session, 'remoteSettings');
  expect(session.remoteSettings.enableConnectProtocol).toBe(true);
  return session;
}
