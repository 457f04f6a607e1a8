import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import { commonErrors } from '../platform/http/schemas/schemas.ts';

/** Registers the ping operation, which only tests a key and the connection. */
export function pingRoute(app: App): void {
  operation(
    app,
    ['get', '/v1/attributions/ping', 'ping'],
    {
      config: { key: 'public' },
      summary: 'Ping',
      description: 'Returns 200 for any valid key.',
      tags: ['Service'],
      answer: Type.Object({ status: Type.String() }, { title: 'Pong', description: 'The key is valid.' }),
      errors: commonErrors,
    },
    async () => ({ status: 'ok' }),
  );
}
