import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Addresses for a name, with IPv4 and IPv6 mixed; null for a name that does not exist; `silence` for no
 * response.
 */
export type NameAnswer = readonly string[] | null | 'silence';

export interface NameServer {
  /** Address as `address:port`, for a resolver. */
  readonly address: string;
  /** Requested names, one per question. */
  readonly asked: string[];
  close(): Promise<void>;
}

const types = { a: 1, aaaa: 28 };

/** Starts a real name server on loopback over UDP. Its responses may change with each question. */
export async function startNameServer(
  answer: (name: string, type: 'a' | 'aaaa') => NameAnswer,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end) === types.aaaa ? 'aaaa' : 'a';
    asked.push(name);
    const found = answer(name, type);
    if (found === 'silence') return;
    const addresses = (found ?? []).filter((each) => each.includes(':') === (type === 'aaaa'));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(found === null ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.fill(0, 8); // not authoritative, no other flags
    socket.send(
      Buffer.concat([head, query.subarray(12, end + 4), ...addresses.map((each) => record(each, type))]),
      peer.port,
      peer.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Returns a record with a TTL of 0, so that each lookup queries the server again. */
function record(address: string, type: 'a' | 'aaaa'): Buffer {
  const data = type === 'a' ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name in the question
  head.writeUInt16BE(types[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOfIpv6(address: string): Buffer {
  const [left = '', right] = address.split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const tail = right === undefined ? [] : words(right);
  const head = words(left);
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]));
}
