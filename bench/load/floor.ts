// The floor of npm run load: writes as many bytes to as many sockets as often as the server does, and nothing else.
// Started as the server is; FLOOR_BYTES and FLOOR_INTERVAL describe the messages.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { textFrame } from '../../server/socket/textFrame';

// It has no books to check.
if (process.argv[2] === 'audit') process.exit(0);

/** RFC 6455, 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const STEP_MS = 10;
const instruments = Number(process.argv[process.argv.indexOf('--instruments') + 1]);
const bytes = Number(process.env['FLOOR_BYTES']);
const row = `{"type":"FLOOR","data":"`;
const frame = textFrame(`${row}${'x'.repeat(Math.max(0, bytes - row.length - 2))}"}`);

const server = createServer((_request, response) => {
  const data = Array.from({ length: instruments }, (_, i) => ({ Code: `${i}`, MarketStatus: 1 }));
  response.end(JSON.stringify({ code: 1, data }));
});
const steps = Math.max(1, Math.ceil(Number(process.env['FLOOR_INTERVAL']) / STEP_MS));
const readers: Duplex[][] = Array.from({ length: steps }, () => []);
let opened = 0;
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}${GUID}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('error', () => {});
  socket.resume();
  readers[opened++ % steps]?.push(socket);
});

const begun = performance.now();
let step = 0;
function writeDue(): void {
  for (const socket of readers[step % steps] ?? []) if (socket.writable) socket.write(frame);
  step++;
  setTimeout(writeDue, Math.max(0, begun + step * STEP_MS - performance.now()));
}
writeDue();
process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  console.log(`Fulcrum: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
