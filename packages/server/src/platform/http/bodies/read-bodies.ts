import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { nextTurn } from '../../work/in-pieces.ts';
import { ApiError } from '../answers/api-error.ts';
import type { App } from '../app-type.ts';
import type { HolderOf, ReadBody } from './bound-bodies.ts';
import { readForm } from './read-form.ts';
import { readJson } from './read-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation may be called without a body, whatever content type is named. */
    bodyIsOptional?: boolean;
  }
}

const formType = 'application/x-www-form-urlencoded';
const readMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Takes a millisecond or more to parse, with what comes of it. */
const largeBytes = 32 * 1024;

/**
 * Reads JSON, and forms where an operation takes them (`consumes`). Any other body is refused before it is read, and
 * so is one that nobody asked for: on a GET, a DELETE, a preflight, or where there is no operation.
 */
export function readBodies(app: App, read: ReadBody, holderOf: HolderOf): void {
  // Clients that always say "application/json" say so of a DELETE without a body too.
  for (const method of ['DELETE', 'OPTIONS'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  // The body is asked for (100 Continue) once it is known that it will be read.
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
      // One at a time, publishers in turn, with a look at everything else in between.
      await nextTurn(holderOf(request) ?? '');
      if (hasLeft(request)) throw new ApiError('InvalidInput', 'The client left before its answer.');
    }
    const isNone = bytes.length === 0 && request.routeOptions.config.bodyIsOptional === true;
    return isNone ? undefined : readJson(bytes);
  });
  app.addContentTypeParser(formType, async (request: FastifyRequest, payload: IncomingMessage) =>
    readForm(await read(request, payload)),
  );
}

/** Nobody hears the answer, so what a client sent and left need not be worked on. */
const hasLeft = ({ raw: { socket } }: FastifyRequest): boolean => socket.destroyed || socket.writableEnded;

const isWithoutBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Why a body is not read, as far as its headers tell. */
function refusal(request: FastifyRequest): ApiError | null {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity' && !isWithoutBody(request)) {
    return new ApiError('InvalidInput', 'Compressed bodies are not read; send it as it is.', { status: 415 });
  }
  const { consumes } = (request.routeOptions.schema ?? {}) as { consumes?: string[] };
  const isForm = request.headers['content-type']?.toLowerCase().startsWith(formType) === true;
  if (!isForm || consumes?.includes(formType) === true) return null;
  // It comes from a client that forgot its content type, and would be told that fields are missing which it sent.
  const message = 'This operation reads JSON; send the header Content-Type: application/json.';
  return new ApiError('InvalidInput', message, { status: 415 });
}
