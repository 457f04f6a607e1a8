import type { FastifyReply } from 'fastify';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
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
import { portalErrors, publisherQuery } from './schemas.ts';

type Caller = 'publisher' | 'signed-in' | 'alert' | 'public';

type PortalRequest<
  Of extends Caller,
  Path extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
> = OperationRequest<
  Static<ReturnType<typeof Type.Object<Path>>>,
  Of extends 'publisher' ? Query & typeof publisherQuery : Query,
  Body,
  { portal: Caller }
>;

interface Declaration<
  Of extends Caller,
  Path extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
  Answer extends TSchema,
> extends OperationInput<Path, Query, Body> {
  /**
   * Caller of the operation. `publisher` adds the query parameter, which must be a publisher of one of the session's
   * accounts. An account is never taken from a request.
   */
  of: Of;
  /** True for an operation that mail services may call. Its link is the only credential. */
  fromAnySite?: true;
  /** Content types of the body; JSON if absent. */
  consumes?: string[];
  answer: Answer;
}

/**
 * Returns a function that declares operations of the portal's API under one OpenAPI tag. A handler that returns a
 * different response than declared does not compile.
 */
export function portalOperations(app: App, tag: string) {
  return <
    Of extends Caller,
    Answer extends TSchema,
    Path extends TProperties = Record<never, never>,
    Query extends TProperties = Record<never, never>,
    Body extends TSchema = TSchema,
  >(
    where: Where<string>,
    { of, fromAnySite, answer, path, query, ...schema }: Declaration<Of, Path, Query, Body, Answer>,
    handler: (
      request: PortalRequest<Of, Path, Query, Body>,
      reply: FastifyReply,
    ) => Promise<Answered<Static<Answer>>> | Answered<Static<Answer>>,
  ): void => {
    registerOperation(app, where, {
      config: {
        portal: of,
        ...(fromAnySite && { fromAnySite }),
      },
      path,
      schema: {
        ...schema,
        tags: [tag],
        querystring: Type.Object({ ...(of === 'publisher' && publisherQuery), ...query }, closed),
        response: { 200: answer, ...portalErrors },
      },
      handler: async (request, reply) => {
        // Everything here belongs to one person, and a phone may be shared.
        reply.header('cache-control', 'no-store');
        return sendWire(reply, await handler(request as never, reply));
      },
    });
  };
}
