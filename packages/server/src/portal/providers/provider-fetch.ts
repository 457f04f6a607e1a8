import { Agent, type Dispatcher, fetch } from 'undici';
import { loopbackNames } from '../../platform/setting-parsers.ts';
import { guardedConnector } from '../../webhooks/delivery/send/guarded-connector.ts';
import { ProviderRefusal } from './provider.ts';

/** Time limit of a request, from DNS to the end of the response. A person is waiting. */
const timeoutMs = 10_000;
/** Maximum size of a response, many times the size of any that providers send. */
const maxBytes = 262_144;
/** Maximum number of connections to a host. */
const maxConnections = 20;

export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | URLSearchParams | Uint8Array | ArrayBuffer | null | undefined;
}

export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/**
 * Creates the function that sends requests to a provider. A provider's configuration names other URLs, and could name an
 * address in this network. So hosts that neither the operator nor this code names must have public addresses, and redirects
 * are not followed.
 * @param ownUrls URLs on the hosts that may have private addresses
 */
export function providerFetch(
  ownUrls: readonly string[],
  dispatchers: { own: Dispatcher; other: Dispatcher } = sharedDispatchers(),
): ProviderFetch {
  const ownHosts = new Set(ownUrls.map((each) => new URL(each).host));
  return async (text, { method, headers, body }) => {
    const url = new URL(text);
    const isOwn = ownHosts.has(url.host);
    const isLoopback = isOwn && url.protocol === 'http:' && loopbackNames.includes(url.hostname);
    if (url.protocol !== 'https:' && !isLoopback)
      throw new ProviderRefusal('unavailable', { cause: new Error(`${url.host} is not reached over HTTPS`) });
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        dispatcher: isOwn ? dispatchers.own : dispatchers.other,
      });
      const read = await readBounded(response.body);
      // A provider that fails or limits its clients is a provider that can't be used at the moment.
      if (response.status >= 500 || response.status === 429)
        throw new Error(`${url.host} responded with ${response.status}`);
      return new Response(read.length === 0 ? null : new Uint8Array(read), {
        status: response.status,
        headers: [...response.headers].filter(([name]) => name === 'content-type'),
      });
    } catch (error) {
      throw new ProviderRefusal('unavailable', { cause: error });
    }
  };
}

let shared: { own: Dispatcher; other: Dispatcher } | undefined;

function sharedDispatchers(): { own: Dispatcher; other: Dispatcher } {
  const agent = (allowsPrivate: boolean): Agent =>
    new Agent({
      connect: guardedConnector(allowsPrivate, timeoutMs, undefined),
      connections: maxConnections,
      maxHeaderSize: 16 * 1_024,
    });
  shared ??= { own: agent(true), other: agent(false) };
  return shared;
}

async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
