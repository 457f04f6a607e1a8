import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';
import { sandboxAnswer, showSandbox } from './sandbox-schemas.ts';

export function showRoute(app: App, { clock, database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Sandbox');
  operation(
    ['get', '/publishers/:publisherId/sandbox', 'getSandbox'],
    {
      may: 'read',
      summary: 'Get the sandbox of a publisher',
      description: 'For a live publisher, its open sandbox; for a sandbox, the sandbox itself.',
      answer: sandboxAnswer,
    },
    async ({ params: { publisherId } }) => showSandbox(db, publisherId, clock),
  );
}
