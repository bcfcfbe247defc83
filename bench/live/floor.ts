// Receives what an exchange sends, parses it, and does nothing else. Arguments: the address, and the pairs.
import { WebSocket } from 'ws';

const [address = '', pairs = ''] = process.argv.slice(2);
let last: unknown;
const socket = new WebSocket(address);
socket.on('open', () => {
  for (const channel of ['trade', 'ticker']) {
    const params = { channel, symbol: pairs.split(','), snapshot: false };
    socket.send(JSON.stringify({ method: 'subscribe', params }));
  }
  console.log('open');
});
socket.on('message', (data) => {
  last = JSON.parse(String(data));
});
// Keeps what was parsed, so that the compiler can't remove the parsing.
process.on('SIGTERM', () => process.exit(last === undefined ? 1 : 0));
