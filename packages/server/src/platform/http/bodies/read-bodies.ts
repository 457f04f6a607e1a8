import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { nextTurn } from '../../work/in-pieces.ts';
import { ApiError } from '../answers/api-error.ts';
import type { App } from '../app-type.ts';
import type { Bodies, TenantOf } from './bound-bodies.ts';
import { readForm } from './read-form.ts';
import { readJson } from './read-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the operation may be called without a body, regardless of the content type. */
    bodyIsOptional?: boolean;
  }
}

const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';
const readMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Bodies of this size or larger take at least a millisecond to parse and process. */
const largeBytes = 32 * 1024;

/**
 * Reads JSON bodies, and forms if an operation accepts their type (`consumes`). Other bodies are rejected before they
 * are read. Bodies that no operation expects (on GET, DELETE, a preflight or an unknown path) aren't read.
 */
export function readBodies(app: App, bodies: Bodies, tenantOf: TenantOf): void {
  const read = (request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> => {
    const tenant = tenantOf(request);
    if (tenant === null) throw new Error('a body without a tenant must not be read');
    return bodies.read(payload, tenant, request);
  };

  // Some clients send "application/json" with every request, even a DELETE without a body.
  for (const method of ['DELETE', 'OPTIONS'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  // `100 Continue` is sent only once the body is certain to be read.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!readMethods.has(request.method)) return done();
    if (isWithoutBody(request) && request.routeOptions.config.bodyIsOptional === true) {
      delete request.raw.headers['content-type'];
      return done();
    }
    const problem = refusal(request);
    if (problem === null && request.headers.expect !== undefined) reply.raw.writeContinue();
    done(problem);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await read(request, payload);
    if (bytes.length >= largeBytes) {
      // Parse one large body at a time. Publishers take turns, and other events run in between.
      await nextTurn(tenantOf(request) ?? '');
      if (hasLeft(request))
        throw new ApiError('InvalidInput', 'The client disconnected before the response.');
    }
    const isAbsent = bytes.length === 0 && request.routeOptions.config.bodyIsOptional === true;
    return isAbsent ? undefined : readJson(bytes);
  });
  app.addContentTypeParser(formType, async (request: FastifyRequest, payload: IncomingMessage) =>
    readForm(await read(request, payload)),
  );
  // No operation reads these fields. Mail services send this type to unsubscribe (RFC 8058).
  app.addContentTypeParser(multipartType, async (request: FastifyRequest, payload: IncomingMessage) => {
    await read(request, payload);
    return {};
  });
}

/** Returns whether the client has disconnected, in which case its request doesn't have to be processed. */
const hasLeft = ({ raw: { socket } }: FastifyRequest): boolean => socket.destroyed || socket.writableEnded;

const isWithoutBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Returns the reason to reject a body because of its headers, or null if the body may be read. */
function refusal(request: FastifyRequest): ApiError | null {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity' && !isWithoutBody(request)) {
    return new ApiError('InvalidInput', 'Compressed bodies are not supported. Send the body uncompressed.', {
      status: 415,
    });
  }
  const { consumes } = (request.routeOptions.schema ?? {}) as { consumes?: string[] };
  const sent = request.headers['content-type']?.toLowerCase() ?? '';
  const form = [formType, multipartType].find((type) => sent.startsWith(type));
  if (form === undefined || consumes?.includes(form) === true) return null;
  // The client probably forgot the content type, so a message about missing fields would be misleading.
  const message = 'This operation requires JSON. Set the Content-Type header to application/json.';
  return new ApiError('InvalidInput', message, { status: 415 });
}
