import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app-type.ts';

/** Bytes of a refused body that are read and dropped; past it the connection is closed. */
const drainedBytes = 32 * 1024 * 1024;

/** Connections whose request was answered while its body was still on its way. */
const draining = new WeakSet<Socket>();
export const isDraining = (socket: Socket): boolean => draining.has(socket);

/**
 * A client hears why its body was refused, also one that reads only when it has sent all: what is left of the body is
 * received and thrown away, up to 32 MiB and no longer than a request may take, and only then the connection closed.
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
  // Called when the answer is out and was the connection's last.
  socket.destroySoon = () => {
    if (body.readableEnded || body.destroyed) return destroySoon.call(socket);
    socket.end();
    body.once('close', () => destroySoon.call(socket));
  };
}
