import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Permission } from '../accounts/roles.ts';
import type { RefusalAnswer } from '../platform/http/answers/api-error.ts';
import { sendWire } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  type Answered,
  type OperationInput,
  type OperationRequest,
  registerOperation,
  type Where,
} from '../platform/http/operation.ts';
import { closed } from '../platform/inputs.ts';
import type { RefusalCode } from '../platform/refusal.ts';
import { adminErrors, publisherPath } from './schemas.ts';

type Caller = Permission | 'signed-in' | 'public';

/** Declared path parameters, plus `publisherId` if the URL starts with `/publishers/:publisherId`. */
type PathOf<Url extends string, Path extends TProperties> = Static<TObject<Path>> &
  (Url extends `/publishers/:publisherId${string}` ? { publisherId: string } : unknown);

type AdminRequest<
  Url extends string,
  Path extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
> = OperationRequest<PathOf<Url, Path>, Query, Body, { staff: Caller }>;

/** Declaration of an operation. `path` declares the path parameters other than `publisherId`. */
interface Declaration<Path extends TProperties, Query extends TProperties, Body extends TSchema>
  extends OperationInput<Path, Query, Body> {
  /**
   * Permission that the caller needs for the publisher in the path; `signed-in` and `public` require no permission.
   */
  may: Caller;
  /** True if a person must have signed in within the last five minutes. */
  fresh?: true;
  /** True if operator tokens are rejected. */
  people?: true;
  /** True for a public operation that other sites and mail services may call. */
  fromAnySite?: true;
  /** Content types of the body; JSON if absent. */
  consumes?: string[];
  /** True if the caller may add other query parameters, which are then ignored. */
  takesOtherQuery?: true;
  /** True if the request may omit the body. */
  bodyIsOptional?: true;
  /** Responses with a status other than 200, and errors with an unusual body. */
  otherAnswers?: Readonly<Record<number, TSchema>>;
  /** Refusals that this operation returns with a different status than other operations do. */
  refusals?: Partial<Record<RefusalCode, RefusalAnswer>>;
}

/** OpenAPI descriptions of responses that are not JSON, by status. */
type RawAnswers = Readonly<Record<number, object>>;

/**
 * Returns functions that declare admin API operations under one OpenAPI tag. Each declaration includes the
 * permission, path, query, body and response. A handler that returns a different response does not compile.
 */
export function adminOperations(app: App, tag: string) {
  const register = (
    where: Where<string>,
    declaration: Declaration<TProperties, TProperties, TSchema>,
    answers: RawAnswers,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void => {
    const { may, fresh, people, fromAnySite, bodyIsOptional, refusals, ...described } = declaration;
    const { path, query, takesOtherQuery, otherAnswers, ...schema } = described;
    const [, url] = where;
    registerOperation(app, where, {
      config: {
        staff: may,
        namesMistakes: true,
        ...(fresh && { fresh }),
        ...(people && { people }),
        ...(fromAnySite && { fromAnySite }),
        ...(bodyIsOptional && { bodyIsOptional }),
        ...(refusals && { refusals }),
      },
      path: { ...(url.startsWith('/publishers/:publisherId') && publisherPath.properties), ...path },
      schema: {
        ...schema,
        tags: [tag],
        querystring: Type.Object({ ...query }, takesOtherQuery ? {} : closed),
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
        request: AdminRequest<Url, Path, Query, Body>,
        reply: FastifyReply,
      ) => Promise<Answered<Static<Answer>>> | Answered<Static<Answer>>,
    ): void {
      register(where, declared, { 200: answer }, async (request, reply) =>
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
      handler: (request: AdminRequest<Url, Path, Query, Body>, reply: FastifyReply) => Promise<FastifyReply>,
    ): void {
      register(where, declared, answers, (request, reply) => handler(request as never, reply));
    },
  };
}
