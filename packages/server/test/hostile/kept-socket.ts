import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface ReadAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** True if the service closes the connection. */
  isLast: boolean;
}

const timeoutMs = 30_000;

/**
 * Keep-alive connection for bytes that no HTTP client would send. It sends one request at a time, and reconnects after
 * the service has closed the connection.
 */
export class KeptSocket {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /**
   * Sends a request.
   * @returns the response; null if the connection ended or no response arrived in time
   */
  async send(bytes: Buffer, isHead: boolean): Promise<ReadAnswer | null> {
    const socket = this.#socket ?? (await this.#open());
    socket.write(bytes);
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answer = this.#take(isHead);
      if (answer !== null) {
        // The remaining bytes don't belong to any known request.
        if (answer.isLast || this.#received.length > 0) this.close();
        return answer;
      }
      if (this.#hasEnded || performance.now() > deadline) {
        this.close();
        return null;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#received = Buffer.alloc(0);
  }

  async #open(): Promise<Socket> {
    const socket = connect(this.#port, this.#host);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#hasEnded = false;
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return;
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('close', () => {
      if (socket !== this.#socket) return;
      this.#hasEnded = true;
      this.#wake();
    });
    await once(socket, 'connect');
    return socket;
  }

  /** Parses a complete response from the received bytes, skipping "100 Continue". */
  #take(isHead: boolean): ReadAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [start = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const status = Number(start.split(' ')[1] ?? 0);
    const from = end + 4;
    if (status === 100) {
      this.#received = this.#received.subarray(from);
      return this.#take(isHead);
    }
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
    );
    const read = isHead || status === 204 || status === 304 ? nothing(from) : this.#bodyFrom(from, headers);
    if (read === null) return null;
    this.#received = this.#received.subarray(read.end);
    return { status, headers, body: read.body, isLast: headers.get('connection') === 'close' };
  }

  #bodyFrom(from: number, headers: Headers): ReadBody | null {
    const received = this.#received;
    const length = headers.get('content-length');
    if (length !== null) {
      const end = from + Number(length);
      return received.length < end ? null : { body: received.subarray(from, end), end };
    }
    if (headers.get('transfer-encoding') !== 'chunked')
      return this.#hasEnded ? { body: received.subarray(from), end: received.length } : null;
    const parts: Buffer[] = [];
    for (let at = from; ; ) {
      const lineEnd = received.indexOf('\r\n', at);
      if (lineEnd === -1) return null;
      const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
      const end = lineEnd + 2 + size;
      if (received.length < end + 2) return null;
      if (size === 0) return { body: Buffer.concat(parts), end: end + 2 };
      parts.push(received.subarray(lineEnd + 2, end));
      at = end + 2;
    }
  }
}

interface ReadBody {
  body: Buffer;
  /** End of the response in the received bytes. */
  end: number;
}

const nothing = (at: number): ReadBody => ({ body: Buffer.alloc(0), end: at });
