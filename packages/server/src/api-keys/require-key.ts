import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyPrincipal } from '../audit/actor.ts';
import type { Clock } from '../platform/clock.ts';
import { networkOf } from '../platform/network-of.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';
import type { KeyKind } from './key-format.ts';
import { earlierCallerOf } from './request-context.ts';
import type { KeyVerifier } from './verify-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kind of key that an operation requires. Operations for public keys also accept secret keys. */
    key?: KeyKind;
  }
  interface FastifyRequest {
    keyPrincipal: KeyPrincipal | null;
    /** Valid key that was sent, even if the request was rejected because of the key's rate limit or kind. */
    validKey: KeyPrincipal | null;
  }
}

interface Limits {
  failedKeysPerSecond: number;
  requestsPerSecondPerKey: number;
}

export interface RequireKeysDeps {
  verifier: KeyVerifier;
  limits: Limits;
  metrics: Metrics;
  clock: Clock;
}

/**
 * Authenticates requests before the body is read, on every route whose config sets `key`. Returns 401 for an invalid
 * key, 403 for a public key where a secret key is required, and 429 above a limit. With a limit per key, each response says how
 * many requests are left (the RateLimit fields of the IETF's draft). Invalid keys sent from an address
 * never count against a valid key.
 */
export function requireKeys(
  app: FastifyInstance,
  { verifier, limits, metrics, clock }: RequireKeysDeps,
): void {
  const failures = new TokenBuckets(limits.failedKeysPerSecond, limits.failedKeysPerSecond);
  const perKey =
    limits.requestsPerSecondPerKey > 0
      ? new TokenBuckets(limits.requestsPerSecondPerKey, limits.requestsPerSecondPerKey)
      : null;

  // One second refills a key's requests completely.
  const policy = `"key";q=${limits.requestsPerSecondPerKey};w=1`;

  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: KeyPrincipal | null,
    required: KeyKind,
  ): Refusal | undefined => {
    const nowMs = clock.now().getTime();
    if (principal === null) {
      if (failures.take(networkOf(request.ip), nowMs)) {
        return new Refusal('Unauthorized', 'Send a valid API key in the X-SHARED-SECRET header.');
      }
      metrics.refusedRequests.inc({ reason: 'failed_keys' });
      return new Refusal(
        'RateLimited',
        'Too many requests with invalid API keys from this address. Try again in a second.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    request.validKey = principal;
    if (perKey !== null) {
      const isAllowed = perKey.take(principal.keyId, nowMs);
      const left = perKey.left(principal.keyId);
      reply.headers({ 'ratelimit-policy': policy, ratelimit: `"key";r=${left};t=1` });
      if (isAllowed) return admitKind(request, principal, required);
      metrics.refusedRequests.inc({ reason: 'key_rate' });
      return new Refusal('RateLimited', 'This API key has exceeded its rate limit. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    }
    return admitKind(request, principal, required);
  };

  app.decorateRequest('keyPrincipal', null);
  app.decorateRequest('validKey', null);
  app.addHook('onRequest', (request, reply, done) => {
    const required = request.routeOptions.config?.key;
    if (required === undefined) return done();
    const sent = request.headers['x-shared-secret'];
    const earlier = earlierCallerOf(request);
    const verified = earlier?.principal ?? (typeof sent === 'string' ? verifier.verify(sent) : null);
    if (!(verified instanceof Promise)) return done(admit(request, reply, verified, required));
    verified.then((principal) => done(admit(request, reply, principal, required)), done);
  });
}

function admitKind(request: FastifyRequest, principal: KeyPrincipal, required: KeyKind): Refusal | undefined {
  if (required === 'secret' && principal.keyKind === 'public')
    return new Refusal(
      'Forbidden',
      'This operation requires a secret API key, but the request has a public one.',
    );
  request.keyPrincipal = principal;
  return undefined;
}
