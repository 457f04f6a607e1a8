import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app-type.ts';

/** Maximum remainder of a rejected body to read and discard. If more remains, the connection is closed. */
const drainedBytes = 32 * 1024 * 1024;

/** Connections on which a response was sent while the body was still arriving. */
const draining = new WeakSet<Socket>();
export const isDraining = (socket: Socket): boolean => draining.has(socket);

/**
 * Ensures that a client receives the reason its body was rejected, even if it starts reading only after sending
 * everything. Before the connection is closed, the rest of the body is received and discarded, up to 32 MiB and within
 * the request's time limit.
 */
export function drainBodies(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    const sent = raw.headers['content-length'];
    if (!raw.complete && (Number(sent ?? 0) > 0 || raw.headers['transfer-encoding'] !== undefined)) {
      if (Number(sent ?? 0) > drainedBytes) reply.header('connection', 'close');
      drain(raw);
    }
    done(null, payload);
  });
}

function drain(body: IncomingMessage): void {
  const { socket } = body;
  let leftBytes = drainedBytes;
  draining.add(socket);
  body.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) socket.destroy();
  });
  body.on('error', () => undefined);
  body.once('close', () => draining.delete(socket));
  const { destroySoon } = socket;
  // Node calls this after the last response on the connection.
  socket.destroySoon = () => {
    if (body.readableEnded || body.destroyed) return destroySoon.call(socket);
    socket.end();
    body.once('close', () => destroySoon.call(socket));
  };
}
