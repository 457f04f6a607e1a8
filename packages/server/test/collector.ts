import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ToldSpan {
  name: string;
  /** 1 is internal, 2 server, 3 client, 4 producer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  startedMs: number;
  endedMs: number;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
  service: string;
}

/** Trace collector: a real HTTP server on loopback that accepts OTLP in JSON. */
export interface Collector {
  readonly url: string;
  readonly spans: ToldSpan[];
  readonly headers: Record<string, unknown>[];
  readonly text: () => string;
  close(): Promise<void>;
}

interface Value {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
}

interface Attribute {
  key: string;
  value: Value;
}

interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

const plain = (attributes: Attribute[] = []): ToldSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? '') : Number(intValue)),
    ]),
  );

export async function startCollector(): Promise<Collector> {
  const spans: ToldSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const said = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    text += said;
    headers.push({ url: request.url, ...request.headers });
    const { resourceSpans }: Sent = JSON.parse(said);
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? null,
          startedMs: Number(span.startTimeUnixNano) / 1e6,
          endedMs: Number(span.endTimeUnixNano) / 1e6,
          attributes: plain(span.attributes),
          links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
          isError: span.status?.code === 2,
          service: String(plain(resource.attributes)['service.name']),
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    text: () => text,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
