import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Unavailability, unavailability } from '../../database/database-errors.ts';
import { asTyped } from '../../program-name.ts';
import { Refusal, type RefusalCode, unavailable } from '../../refusal.ts';
import { ApiError, answerTo, type ErrorForm, type RefusalAnswer } from './api-error.ts';
import { logUnavailable } from './log-unavailable.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Form of this route's 400 answers; the contract names another form for some. */
    badRequestForm?: ErrorForm;
    /** Answers of this route to some refusals, where they are not the usual ones. */
    refusals?: Partial<Record<RefusalCode, RefusalAnswer>>;
  }
  interface FastifyInstance {
    /** Told of every answer that is an error; it must neither throw nor take long. */
    onRefused: ((request: FastifyRequest, error: ApiError) => void) | null;
  }
}

/** Bytes of 128 and more arrive as one character each, whatever they were meant as. */
const rawPath = /^[^?]*[^\x21-\x7e]/;

/** Bound of remembered messages about missing rights. Each names a table; there are fewer tables. */
const maxMessages = 500;

/** Logs each lack of a right once: every request may meet it until `attribution migrate` gives it. */
function logEachOnce(): (log: FastifyRequest['log'], error: Error) => void {
  const logged = new Set<string>();
  return (log, { message }) => {
    if (logged.has(message) || logged.size >= maxMessages) return;
    logged.add(message);
    log.error(
      { reason: message },
      `the role of the service lacks a right; where that lasts, run \`${asTyped('migrate')}\` (logged once)`,
    );
  };
}

/** Turns whatever was thrown into the answer the contract names; what nobody foresaw is logged. */
export function answerErrors(app: FastifyInstance): void {
  app.decorate('onRefused', null);
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
        'There is no such operation; /docs lists them. A transactionId in a path must be percent-encoded.',
      ),
    );
  app.setNotFoundHandler(notFound);
  // At once: a body that no operation asked for is not read.
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
      return sendJson(reply, { code: error.code, message: error.message, ...error.facts });
  }
}

/** Sends a value as it is: answers are built by our own code, so no per-route serialiser filters them. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(value));

const unavailableWords: Readonly<Record<Unavailability, string>> = {
  busy: 'The database is busy with what this request needs; send it again.',
  'read-only': 'The database can only be read at the moment; send this again later.',
  rights: 'The rights of the database are being changed, or lack something; send this again in a moment.',
  unreachable:
    'The database does not answer right now. After this answer to a create, GET the transactionId before sending it again.',
};

export function toApiError(
  error: FastifyError | Error,
  refusals: Partial<Record<RefusalCode, RefusalAnswer>> = {},
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Refusal) return answerTo(error, refusals[error.code]);
  const reason = unavailability(error);
  if (reason !== null) return answerTo(unavailable(unavailableWords[reason]));
  const { code, statusCode } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new ApiError(
        'InvalidInput',
        'The content type is not one this operation reads; /docs names them.',
        {
          status: 415,
        },
      );
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('InvalidInput', readable(error), { status: statusCode });
  }
  return new ApiError(
    'UnknownError',
    'Something unexpected went wrong on our side; the request id leads to the log.',
  );
}

function readable(error: Error): string {
  if ((error as FastifyError).code === 'FST_ERR_BAD_URL') return 'The path is not percent-encoded UTF-8.';
  if ((error as FastifyError).code === 'FST_ERR_MAX_PARAM_LENGTH') return 'A part of the path is too long.';
  return 'The request could not be read.';
}
