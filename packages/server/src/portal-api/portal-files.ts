import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import {
  type OperationInput,
  type OperationRequest,
  registerOperation,
  type Where,
} from '../platform/http/operation.ts';
import { closed } from '../platform/inputs.ts';
import { portalErrors, publisherQuery } from './schemas.ts';

type FileRequest<Path extends TProperties> = OperationRequest<
  Static<TObject<Path>>,
  typeof publisherQuery,
  never,
  { portal: 'publisher' }
>;

interface Declaration<Path extends TProperties> extends OperationInput<Path, never, never> {
  /** OpenAPI description of the file. */
  answer: object;
}

/**
 * Returns a function that declares downloads of the portal's API under one OpenAPI tag. The publisher in the query must be one of
 * the session's, as in `portalOperations`.
 */
export const portalFiles =
  (app: App, tag: string) =>
  <Path extends TProperties>(
    where: Where<string>,
    { answer, path, ...schema }: Declaration<Path>,
    handler: (request: FileRequest<Path>, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    registerOperation(app, where, {
      config: { portal: 'publisher' },
      path,
      schema: {
        ...schema,
        tags: [tag],
        querystring: Type.Object(publisherQuery, closed),
        response: { 200: answer, ...portalErrors },
      },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        return handler(request as never, reply);
      },
    });
  };
