import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends bytes that no HTTP client would send, and reads the response until the service closes the connection.
 * @param head the request line and headers, without line endings
 */
export async function rawRequest(
  url: string,
  head: readonly string[],
  body: string | Buffer = '',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // the service may close before everything is sent
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.write(body);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  return readAnswer(Buffer.concat(parts).toString());
}

function readAnswer(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(start.split(' ')[1] ?? 0), headers, text: rest.join('\r\n\r\n') };
}
