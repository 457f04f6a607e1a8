import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProviderDefault,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Permission } from '../accounts/roles.ts';
import type { RefusalAnswer } from '../platform/http/answers/api-error.ts';
import type { App } from '../platform/http/app-type.ts';
import type { RefusalCode } from '../platform/refusal.ts';
import { adminErrors, publisherPath } from './schemas.ts';

/** The answer as a handler may return it: lists may be readonly. */
type Answered<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Answered<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Answered<Value[Name]> }
      : Value;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Caller = Permission | 'signed-in' | 'public';

/** Path parameters of a URL: the declared ones, and `publisherId` in URLs of one publisher. */
type PathOf<Url extends string, Path extends TProperties> = Static<TObject<Path>> &
  (Url extends `/publishers/:publisherId${string}` ? { publisherId: string } : unknown);

type OperationRequest<
  Url extends string,
  Path extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
> = FastifyRequest<
  { Params: PathOf<Url, Path>; Querystring: Static<TObject<Query>>; Body: Static<Body> },
  RawServerDefault,
  RawRequestDefaultExpression,
  FastifySchema,
  FastifyTypeProviderDefault,
  { staff: Caller }
>;

interface Declaration<Path extends TProperties, Query extends TProperties, Body extends TSchema> {
  /** Permission that the caller needs at the publisher in the path, or a session alone, or nothing. */
  may: Caller;
  /** True: a person has to have signed in within the last five minutes. */
  fresh?: true;
  /** True: operator tokens are rejected. */
  people?: true;
  summary: string;
  description?: string;
  /** Path parameters besides `publisherId`. */
  path?: Path;
  query?: Query;
  body?: Body;
  /** True: the request may come without a body. */
  bodyIsOptional?: true;
  /** Answers with another status than 200, or with another body than the usual errors. */
  otherAnswers?: Readonly<Record<number, TSchema>>;
  /** Refusals that this operation answers with another status than the others do. */
  refusals?: Partial<Record<RefusalCode, RefusalAnswer>>;
}

/** Answers that are not JSON, by status, as OpenAPI describes them. */
type RawAnswers = Readonly<Record<number, object>>;

type Where<Url extends string> = readonly [method: Method, url: Url, operationId: string];

/**
 * Declares operations of the admin API under one tag of its document. An operation is declared once: permission, path, query,
 * body and answer; its handler returns the answer, and does not compile when it returns another.
 */
export function adminOperations(app: App, tag: string) {
  const route = (
    [method, url, operationId]: Where<string>,
    {
      may,
      fresh,
      people,
      bodyIsOptional,
      refusals,
      ...declared
    }: Declaration<TProperties, TProperties, TSchema>,
    answers: RawAnswers,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    const { path, query, body, otherAnswers, ...texts } = declared;
    const ofPublisher = url.startsWith('/publishers/:publisherId') ? publisherPath.properties : {};
    const params = { ...ofPublisher, ...path };
    app.route({
      method,
      url,
      config: {
        staff: may,
        ...(fresh && { fresh }),
        ...(people && { people }),
        ...(bodyIsOptional && { bodyIsOptional }),
        ...(refusals && { refusals }),
      },
      schema: {
        operationId,
        ...texts,
        tags: [tag],
        ...(Object.keys(params).length > 0 && { params: Type.Object(params) }),
        ...(query && { querystring: Type.Object(query) }),
        ...(body && { body }),
        response: { ...answers, ...adminErrors, ...otherAnswers },
      },
      handler,
    });
  };

  return {
    /** Declares an operation that answers JSON. Dates and bigints in the answer are sent as texts. */
    operation<
      Url extends string,
      Answer extends TSchema,
      Path extends TProperties = Record<never, never>,
      Query extends TProperties = Record<never, never>,
      Body extends TSchema = TSchema,
    >(
      where: Where<Url>,
      { answer, ...declared }: Declaration<Path, Query, Body> & { answer: Answer },
      handler: (
        request: OperationRequest<Url, Path, Query, Body>,
        reply: FastifyReply,
      ) => Promise<Answered<Static<Answer>>> | Answered<Static<Answer>>,
    ): void {
      route(where, declared, { 200: answer }, async (request, reply) =>
        sendWire(reply, await handler(request as never, reply)),
      );
    },

    /** Declares an operation that sends something else than JSON: a file, or a redirect. Its handler sends it. */
    rawOperation<
      Url extends string,
      Path extends TProperties = Record<never, never>,
      Query extends TProperties = Record<never, never>,
      Body extends TSchema = TSchema,
    >(
      where: Where<Url>,
      { answers, ...declared }: Declaration<Path, Query, Body> & { answers: RawAnswers },
      handler: (
        request: OperationRequest<Url, Path, Query, Body>,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ): void {
      route(where, declared, answers, (request, reply) => handler(request as never, reply));
    },
  };
}

/** Sends an answer as JSON: dates as ISO 8601 in UTC, bigints as decimal text. */
const sendWire = (reply: FastifyReply, answer: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer, (_name, value) => (typeof value === 'bigint' ? String(value) : value)));
