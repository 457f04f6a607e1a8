import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Unavailability, unavailability } from '../../database/database-errors.ts';
import { asTyped } from '../../program-name.ts';
import { Refusal, type RefusalCode, unavailable } from '../../refusal.ts';
import { ApiError, answerTo, type ErrorForm, type RefusalAnswer } from './api-error.ts';
import { logUnavailable } from './log-unavailable.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Form of this route's 400 responses, if the contract requires one other than the default. */
    badRequestForm?: ErrorForm;
    /** Responses for refusals where this route deviates from the default. */
    refusals?: Partial<Record<RefusalCode, RefusalAnswer>>;
    /** True if error responses name the place of a single mistake in the body. */
    namesMistakes?: true;
  }
  interface FastifyInstance {
    /** Called for every error response. Must not throw or take long. */
    onRefused: ((request: FastifyRequest, error: ApiError) => void) | null;
  }
  interface FastifyRequest {
    /** Error code of the response; null if the request was accepted. */
    refusedCode: RefusalCode | null;
  }
}

/**
 * Path that contains raw bytes. Node turns each byte of 128 or above into one character, regardless of the
 * encoding.
 */
const rawPath = /^[^?]*[^\x21-\x7e]/;

/**
 * Maximum number of messages about missing rights to remember. Each message is about one table, and there are fewer
 * tables than this.
 */
const maxMessages = 500;

/**
 * Logs each missing right only once, since every request may fail because of it until `attribution migrate`
 * grants the right.
 */
function logEachOnce(): (log: FastifyRequest['log'], error: Error) => void {
  const logged = new Set<string>();
  return (log, { message }) => {
    if (logged.has(message) || logged.size >= maxMessages) return;
    logged.add(message);
    log.error(
      { reason: message },
      `the service's role lacks a right; if this persists, run \`${asTyped('migrate')}\` (logged once)`,
    );
  };
}

/** Converts every thrown error to the response that the contract requires, and logs unexpected errors. */
export function answerErrors(app: FastifyInstance): void {
  app.decorate('onRefused', null);
  app.decorateRequest('refusedCode', null);
  const logRefused = logUnavailable(app);
  const logOnce = logEachOnce();
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toApiError(error, request.routeOptions.config?.refusals);
    if (unavailability(error) === 'rights') logOnce(request.log, error);
    else if (known.code === 'Unavailable') logRefused(request, error);
    else if (known.status >= 500) request.log.error({ err: error }, known.message);
    return sendError(request, reply, known);
  });
  const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendError(
      request,
      reply,
      new ApiError(
        'NotFound',
        'There is no such operation. See /docs for the list. A transactionId in a path must be percent-encoded.',
      ),
    );
  app.setNotFoundHandler(notFound);
  // Reject the request before its body is read.
  app.addHook('onRequest', (request, reply, done) => {
    if (rawPath.test(request.url))
      done(new ApiError('InvalidInput', 'The path is not percent-encoded UTF-8.'));
    else if (request.is404) notFound(request, reply);
    else done();
  });
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const routeForm = error.status === 400 ? request.routeOptions.config?.badRequestForm : undefined;
  const form = error.form ?? routeForm ?? 'code-and-message';
  request.refusedCode = error.code;
  request.server.onRefused?.(request, error);
  reply.code(error.status);
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  switch (form) {
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(error.message);
    case 'status-text':
      return reply.type('text/plain; charset=utf-8').send(STATUS_CODES[error.status]);
    case 'message':
      return sendJson(reply, { message: error.message });
    case 'errors':
      return sendJson(reply, { errors: error.mistakes.map((message) => ({ message })) });
    case 'code-and-message':
      return sendJson(reply, {
        code: error.code,
        message: error.message,
        ...(request.routeOptions.config?.namesMistakes && pathOfMistake(error)),
        ...error.facts,
      });
  }
}

/** Returns the place of an error's mistake. With several mistakes, a form shows all of them together. */
const pathOfMistake = ({ path, mistakes }: ApiError): { path?: ApiError['path'] } =>
  path !== null && path.length > 0 && mistakes.length === 1 ? { path } : {};

export const jsonType = 'application/json; charset=utf-8';

/** Sends a value unchanged. Our own code builds the bodies, so no serializer needs to filter them. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type(jsonType).send(JSON.stringify(value));

/** Sends a response as JSON: dates as ISO 8601 in UTC, bigints as decimal strings. */
export const sendWire = (reply: FastifyReply, answer: unknown): FastifyReply =>
  reply
    .type(jsonType)
    .send(JSON.stringify(answer, (_name, value) => (typeof value === 'bigint' ? String(value) : value)));

const unavailableMessages: Readonly<Record<Unavailability, string>> = {
  busy: 'The database is busy. Retry the request.',
  'read-only': 'The database is read-only at the moment. Retry the request later.',
  rights:
    'The service lacks rights on the database, possibly because of an upgrade. Retry the request in a moment.',
  unreachable:
    'The database is not responding. The request may have been carried out, so check before you retry it. For a purchase, GET its transactionId.',
};

export function toApiError(
  error: FastifyError | Error,
  refusals: Partial<Record<RefusalCode, RefusalAnswer>> = {},
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Refusal) return answerTo(error, refusals[error.code]);
  const reason = unavailability(error);
  if (reason !== null) return answerTo(unavailable(unavailableMessages[reason]));
  const { code, statusCode } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new ApiError('InvalidInput', 'This operation does not support this content type. See /docs.', {
        status: 415,
      });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('InvalidInput', readable(error), { status: statusCode });
  }
  return new ApiError(
    'UnknownError',
    'An unexpected error occurred. Look up the request id in the log for details.',
  );
}

function readable(error: Error): string {
  if ((error as FastifyError).code === 'FST_ERR_BAD_URL') return 'The path is not percent-encoded UTF-8.';
  if ((error as FastifyError).code === 'FST_ERR_MAX_PARAM_LENGTH') return 'A part of the path is too long.';
  return 'The request could not be read.';
}
