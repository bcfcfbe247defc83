import { WebSocket } from 'ws';

/** Resolves once it is open or has failed, and everything that the server has sent until now has come. */
export async function flushed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CONNECTING) await happens(socket, 'open', 'close');
  if (socket.readyState !== WebSocket.OPEN) return;
  const answered = happens(socket, 'pong', 'close');
  socket.ping();
  await answered;
}

function happens(socket: WebSocket, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) socket.off(event, done);
      resolve();
    };
    for (const event of events) socket.on(event, done);
  });
}
