import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Address that stays the same while the database behind it changes, like a virtual IP, a proxy or a DNS name. */
export interface Relay {
  readonly port: number;
  /** Silently makes open and new connections hang, as if the host had lost power. */
  fallSilent(): void;
  /** Routes new connections to this socket. Open connections end, or keep hanging after `fallSilent`. */
  leadTo(socketPath: string): void;
  close(): Promise<void>;
}

/** @param socketPath Unix socket of the first PostgreSQL server */
export async function startRelay(socketPath: string): Promise<Relay> {
  let target = socketPath;
  let isSilent = false;
  const nears = new Set<Socket>();
  const fars = new Set<Socket>();
  const keep = (sockets: Set<Socket>, socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(nears, near);
    near.setNoDelay(true);
    if (isSilent) {
      near.resume();
      return;
    }
    const far = connect(target);
    keep(fars, far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => {
      if (!isSilent) near.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
      for (const far of fars) far.unpipe().resume();
      for (const near of nears) near.unpipe().resume();
    },
    leadTo(next) {
      target = next;
      for (const far of fars) far.destroy();
      if (!isSilent) for (const near of nears) near.destroy();
      isSilent = false;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of [...nears, ...fars]) socket.destroy();
      await closed;
    },
  };
}
