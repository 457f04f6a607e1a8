import { Type } from 'typebox';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import { commonErrors } from '../platform/http/schemas/schemas.ts';

/** Registers the ping operation, which only tests a key and the connection. */
export function pingRoute(app: App): void {
  app.get(
    '/v1/attributions/ping',
    {
      config: { key: 'public' },
      schema: {
        operationId: 'ping',
        summary: 'Ping',
        description: 'Returns 200 for any valid key.',
        tags: ['Service'],
        response: {
          200: Type.Object({ status: Type.String() }, { title: 'Pong', description: 'The key is valid.' }),
          ...commonErrors,
        },
      },
    },
    async (_request, reply) => sendJson(reply, { status: 'ok' }),
  );
}
