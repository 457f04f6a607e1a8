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

type FileCaller = 'publisher' | 'signed-in';

type FileRequest<Of extends FileCaller, Path extends TProperties> = OperationRequest<
  Static<TObject<Path>>,
  Of extends 'publisher' ? typeof publisherQuery : Record<never, never>,
  never,
  { portal: Of }
>;

interface Declaration<Of extends FileCaller, Path extends TProperties>
  extends OperationInput<Path, never, never> {
  /** Caller, as in `portalOperations`. */
  of: Of;
  /** OpenAPI description of the file. */
  answer: object;
}

/**
 * Returns a function that declares downloads of the portal's API under one OpenAPI tag.
 */
export const portalFiles =
  (app: App, tag: string) =>
  <Of extends FileCaller, Path extends TProperties>(
    where: Where<string>,
    { of, answer, path, ...schema }: Declaration<Of, Path>,
    handler: (request: FileRequest<Of, Path>, reply: FastifyReply) => Promise<FastifyReply>,
  ): void => {
    registerOperation(app, where, {
      config: { portal: of },
      path,
      schema: {
        ...schema,
        tags: [tag],
        querystring: Type.Object({ ...(of === 'publisher' && publisherQuery) }, closed),
        response: { 200: answer, ...portalErrors },
      },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        return handler(request as never, reply);
      },
    });
  };
