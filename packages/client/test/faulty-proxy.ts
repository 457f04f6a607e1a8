import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Fault } from '../src/testing.ts';

export interface FaultyProxy {
  url: string;
  /** Sets faults for the next requests, one for each. */
  next(...faults: readonly Fault[]): void;
  /** Number of requests that arrived. */
  requests(): number;
  close(): Promise<void>;
}

/** Starts a proxy on loopback in front of a service. It passes requests on, except for those with a fault. */
export async function startProxy(serviceUrl: string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  let requests = 0;
  const listener: RequestListener = async (request, response) => {
    requests += 1;
    const fault = faults.shift();
    const body = await buffer(request);
    if (fault === 'refused') return request.socket.destroy();
    if (typeof fault === 'object') {
      const { status, retryAfter, body: answer = '' } = fault;
      response.writeHead(status, {
        'content-type': typeof answer === 'string' ? 'text/plain' : 'application/json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      });
      return response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    }
    const answer = await passOn(serviceUrl, request, body);
    const text = await buffer(answer);
    if (fault === 'lost') return request.socket.destroy();
    if (fault === 'slow') return undefined; // the client gives up
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    return response.end(text);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (...added) => void faults.push(...added),
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passOn(serviceUrl: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const passed = send(serviceUrl + request.url, {
    method: request.method ?? 'GET',
    headers: request.headers,
  });
  passed.end(body);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  return answer;
}
