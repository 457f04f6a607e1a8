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
import { closed } from '../platform/inputs.ts';
import type { RefusalCode } from '../platform/refusal.ts';
import { adminErrors, publisherPath } from './schemas.ts';

/** Response type that a handler may return, in which lists may be readonly. */
type Answered<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Answered<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Answered<Value[Name]> }
      : Value;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Caller = Permission | 'signed-in' | 'public';

/** Path parameters of a URL: the declared parameters, and `publisherId` if the URL starts with a publisher. */
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
  /**
   * Permission that the caller needs for the publisher in the path; `signed-in` and `public` require no permission.
   */
  may: Caller;
  /** True if a person must have signed in within the last five minutes. */
  fresh?: true;
  /** True if operator tokens are rejected. */
  people?: true;
  summary: string;
  description?: string;
  /** Path parameters besides `publisherId`. */
  path?: Path;
  query?: Query;
  /** True: the caller may add other query parameters, which are ignored. */
  takesOtherQuery?: true;
  body?: Body;
  /** True if the request may omit the body. */
  bodyIsOptional?: true;
  /** Responses with a status other than 200, and errors with an unusual body. */
  otherAnswers?: Readonly<Record<number, TSchema>>;
  /** Refusals that this operation answers with a different status than other operations. */
  refusals?: Partial<Record<RefusalCode, RefusalAnswer>>;
}

/** OpenAPI descriptions of responses that are not JSON, by status. */
type RawAnswers = Readonly<Record<number, object>>;

type Where<Url extends string> = readonly [method: Method, url: Url, operationId: string];

/**
 * Returns functions that declare operations of the admin API under one tag of its document. Each declaration
 * includes the permission, path, query, body and response. A handler that returns a different response does not
 * compile.
 */
export function adminOperations(app: App, tag: string) {
  const route = (
    [method, url, operationId]: Where<string>,
    {
      may,
      fresh,
      people,
      takesOtherQuery,
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
        querystring: Type.Object({ ...query }, takesOtherQuery ? {} : closed),
        ...(body && { body }),
        response: { ...answers, ...adminErrors, ...otherAnswers },
      },
      handler,
    });
  };

  return {
    /** Declares an operation that returns JSON. Dates and bigints in the response are sent as strings. */
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

    /** Declares an operation whose handler sends something other than JSON, such as a file or a redirect. */
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

/** Sends a response as JSON: dates as ISO 8601 in UTC, bigints as decimal strings. */
const sendWire = (reply: FastifyReply, answer: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer, (_name, value) => (typeof value === 'bigint' ? String(value) : value)));
