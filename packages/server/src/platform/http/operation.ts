import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProviderDefault,
  preValidationHookHandler,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { sendJson } from './answers/error-answers.ts';
import type { App } from './app-type.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Location of an operation: its method, its complete URL, and its operation id in the document. */
export type Where<Url extends string> = readonly [method: Method, url: Url, operationId: string];

/** Response type for handlers. Lists in a response may be readonly. */
export type Answered<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Answered<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Answered<Value[Name]> }
      : Value;

/**
 * Request whose types come from the operation's declaration.
 * @template Config determines which additional properties the request has, such as `group`
 */
export type OperationRequest<
  Params,
  Query extends TProperties,
  Body extends TSchema,
  Config,
> = FastifyRequest<
  { Params: Params; Querystring: Static<TObject<Query>>; Body: Static<Body> },
  RawServerDefault,
  RawRequestDefaultExpression,
  FastifySchema,
  FastifyTypeProviderDefault,
  Config
>;

export interface OperationInput<Path extends TProperties, Query extends TProperties, Body extends TSchema> {
  summary: string;
  description?: string;
  path?: Path;
  query?: Query;
  body?: Body;
}

interface Registration {
  config: FastifyContextConfig;
  preValidation?: preValidationHookHandler;
  exposeHeadRoute?: boolean;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  path: TProperties | undefined;
  /** Everything else in the OpenAPI document: descriptions, query, body and responses. */
  schema: FastifySchema;
}

/** Registers an operation whose handler sends the response itself. */
export const registerOperation = (
  app: App,
  [method, url, operationId]: Where<string>,
  { path = {}, schema, ...route }: Registration,
): unknown =>
  app.route({
    method,
    url,
    ...route,
    schema: {
      operationId,
      ...(Object.keys(path).length > 0 && { params: Type.Object(path) }),
      ...schema,
    },
  });

interface Declaration<
  Config extends FastifyContextConfig,
  Path extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
  Answer extends TSchema,
> extends OperationInput<Path, Query, Body> {
  config: Config;
  tags: string[];
  /** Content types of the body; JSON if absent. */
  consumes?: string[];
  preValidation?: preValidationHookHandler;
  exposeHeadRoute?: boolean;
  /** Schema of the response with status 200. */
  answer: Answer;
  errors: Readonly<Record<number, object>>;
}

/**
 * Declares an operation of the publisher's API: key, group, path, query, body and responses. A handler that returns any
 * other response doesn't compile.
 */
export function operation<
  Config extends FastifyContextConfig,
  Answer extends TSchema,
  Path extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
  Body extends TSchema = TSchema,
>(
  app: App,
  where: Where<string>,
  declaration: Declaration<Config, Path, Query, Body, Answer>,
  handler: (
    request: OperationRequest<Static<TObject<Path>>, Query, Body, Config>,
    reply: FastifyReply,
  ) => Promise<Answered<Static<Answer>>>,
): void {
  const { config, preValidation, exposeHeadRoute, path, query, answer, errors, ...schema } = declaration;
  registerOperation(app, where, {
    config,
    ...(preValidation && { preValidation }),
    ...(exposeHeadRoute !== undefined && { exposeHeadRoute }),
    path,
    schema: {
      ...schema,
      ...(query && { querystring: Type.Object(query) }),
      response: { 200: answer, ...errors },
    },
    handler: async (request, reply) => sendJson(reply, await handler(request as never, reply)),
  });
}
