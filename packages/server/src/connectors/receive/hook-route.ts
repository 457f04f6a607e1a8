import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { networkOf } from '../../platform/network-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import type { ConnectorRow } from '../connector-record.ts';
import { findConnector } from './find-connector.ts';
import { RawBodies } from './read-raw-body.ts';
import { receiveRequest } from './receive-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Connector of the address, on the route of connectors. */
    connector: ConnectorRow | null;
    /** Bytes of the body, which count toward the connector's memory. */
    hookBytes: number;
  }
}

export interface HookDeps {
  database: Database;
  sealer: Sealer;
  clock: Clock;
  metrics: Metrics;
}

/** Requests with a wrong signature that an address may send to a connector. */
const failuresPerSecond = 5;
const failureBurst = 50;

/** Requests to unknown connectors that an address may send, because each costs a query. */
const unknownPerSecond = 5;
const unknownBurst = 50;
const maxKnown = 10_000;

/**
 * Registers the address that providers send their events to. The provider's signature replaces an API key. The route is not in the
 * OpenAPI document, because its body is the provider's.
 */
export function hookRoute(app: App, { database, sealer, clock, metrics }: HookDeps): void {
  const bodies = new RawBodies();
  const failures = new TokenBuckets(failuresPerSecond, failureBurst);
  const unknown = new TokenBuckets(unknownPerSecond, unknownBurst);
  // Requests to connectors that were found before aren't limited by requests to unknown ones from the same address.
  const known = boundedCache<true>(maxKnown);
  const networkAt = (request: FastifyRequest, connectorId: string): string =>
    `${connectorId} ${networkOf(request.ip)}`;

  void app.register(async (plain) => {
    const scope = plain as unknown as App;
    scope.decorateRequest('connector', null);
    scope.decorateRequest('hookBytes', 0);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
      const { connector } = request;
      if (connector === null) throw notFound();
      const declared = Number(request.headers['content-length'] ?? 0);
      const body = await bodies.read(connector.connector_id, payload, declared);
      request.hookBytes = body.length;
      return body;
    });
    scope.addHook('onSend', (request, _reply, payload, done) => {
      bodies.giveBack(request.connector?.connector_id ?? '', request.hookBytes);
      request.hookBytes = 0;
      done(null, payload);
    });
    scope.post(
      '/hooks/v1/:connectorId',
      {
        schema: { hide: true },
        // Runs before the body is read, so that an unknown address costs no memory.
        onRequest: async (request) => {
          const { connectorId } = request.params as { connectorId: string };
          const nowMs = clock.now().getTime();
          const network = networkOf(request.ip);
          if (!known.has(connectorId) && unknown.left(network) < 1 && !unknown.take(network, nowMs))
            throw tooMany();
          const connector = await findConnector(database.lookups, connectorId);
          if (connector === null) {
            unknown.take(network, nowMs);
            metrics.connectorRequests.inc({ outcome: 'unknown' });
            throw notFound();
          }
          const name = networkAt(request, connectorId);
          if (failures.left(name) < 1 && !failures.take(name, nowMs)) {
            metrics.connectorRequests.inc({ outcome: 'limited' });
            throw tooMany();
          }
          known.set(connectorId, true);
          request.connector = connector;
        },
      },
      async (request, reply) => {
        const { connector, body } = request;
        if (connector === null) throw notFound();
        const { publisher_id: publisherId, connector_id: connectorId } = connector;
        const now = clock.now();
        const received = await asSeparateRequest(database, publisherId, () =>
          receiveRequest({ db: database.db, sealer, now }, connector, {
            body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
            headers: headersOf(request),
          }),
        );
        if (received.problem !== null) failures.take(networkAt(request, connectorId), now.getTime());
        metrics.connectorRequests.inc({ outcome: received.problem === null ? 'accepted' : 'refused' });
        const { status, body: text } = received.answer;
        void reply.code(status);
        return text === null
          ? reply.send()
          : reply.header('content-type', 'application/json; charset=utf-8').send(text);
      },
    );
  });
}

const headersOf = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

const notFound = (): Refusal => new Refusal('NotFound', 'There is no such address.');

const tooMany = (): Refusal =>
  new Refusal('RateLimited', 'Too many requests with an invalid signature. Try again in a second.', {
    retryAfterSeconds: 1,
  });
