import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import type pg from 'pg';

export interface Cancellable {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const patienceMs = 2_000;
const cancelCode = 80_877_102;
const sslCode = 80_877_103;

/**
 * Cancels a connection's query. The cancel request uses a new connection, as the protocol requires. Canceling is best
 * effort: the server doesn't reply, and a frozen server reads the request only when it resumes.
 * @param ssl TLS options of the connection
 */
export function cancelQuery(
  { host, port, processID, secretKey }: Cancellable,
  ssl: pg.ClientConfig['ssl'],
): void {
  if (processID === null || secretKey === null) return;
  const isLocal = host.startsWith('/');
  const socket = isLocal ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const end = (): void => void socket.destroy();
  // The server closes the connection after it has processed the request.
  socket.setTimeout(patienceMs, end).on('error', end).unref();
  const request = message(cancelCode, processID, secretKey);
  if (isLocal || ssl === undefined || ssl === false) {
    socket.write(request);
    return;
  }
  socket.write(message(sslCode));
  socket.once('data', (answer) => {
    if (answer.toString('latin1') !== 'S') return end();
    const encrypted = secure({ ...(ssl === true ? {} : ssl), socket, host, servername: host });
    encrypted.on('error', end);
    encrypted.write(request);
  });
}

/**
 * Returns whether a server offers TLS. Also returns false if the server can't be reached; connecting will then report
 * the error.
 * @param address host and port, not a Unix socket
 */
export function offersTls({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, host);
    const finish = (offers: boolean) => (): void => {
      socket.destroy();
      resolve(offers);
    };
    socket.setTimeout(patienceMs, finish(false)).on('error', finish(false)).on('close', finish(false));
    socket.write(message(sslCode));
    socket.once('data', (answer) => finish(answer.toString('latin1') === 'S')());
  });
}

/** Encodes a PostgreSQL startup message: its length, followed by the numbers. */
function message(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  bytes.writeInt32BE(bytes.length, 0);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 + 4 * index);
  return bytes;
}
