import type { FastifyInstance, FastifyRequest } from 'fastify';
import { firstNames, warnOfUnknown } from '../../platform/http/answers/warnings.ts';
import type { Pairs } from '../../platform/http/bodies/parse-pairs.ts';
import { type KnownNames, knownNamesOf, unknownNames } from '../../platform/http/schemas/known-names.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { IgnoredCounts } from './count-ignored.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names in the operation's schemas. Set on every operation of the publisher's API. */
    known?: KnownNames;
  }
}

/**
 * Reports unknown properties and query parameters in the X-Warning header, and counts them by key. If the request or
 * its key is strict, unknown names are rejected instead. A request without unknown names costs no more than comparing
 * its names. Must be called before routes are registered.
 */
export function reportIgnored(app: FastifyInstance, counts: IgnoredCounts): void {
  app.addHook('onRoute', ({ config, schema }) => {
    if (config?.key !== undefined) config.known = knownNamesOf(schema);
  });
  // Runs before validation, so that the response to an invalid request also reports misspelled names.
  app.addHook('preValidation', (request, reply, done) => {
    const { config, schema } = request.routeOptions;
    if (config?.known === undefined || request.keyPrincipal === null) return done();
    const unknown = unknownNames(config.known, request.query as Pairs, request.body);
    if (unknown === null) return done();
    warnOfUnknown(reply, unknown);
    const { operationId = '' } = (schema ?? {}) as { operationId?: string };
    counts.note(request.keyPrincipal, operationId, firstNames(unknown));
    done(isStrict(request) ? refuseUnknown(unknown) : undefined);
  });
}

const isStrict = ({ headers, keyPrincipal }: FastifyRequest): boolean =>
  keyPrincipal?.isStrict === true || String(headers['x-strict']).toLowerCase() === 'true';

function refuseUnknown(names: ReadonlySet<string>): Refusal {
  const named = firstNames(names);
  const others = names.size - named.length;
  const all = others > 0 ? `${named.join(', ')} and ${others} more are` : named.join(', ');
  const verb = others > 0 ? '' : named.length > 1 ? ' are' : ' is';
  return new Refusal(
    'InvalidInput',
    `${all}${verb} unknown to this operation, and the request is strict. Correct or remove ${named.length > 1 ? 'them' : 'it'}.`,
  );
}
