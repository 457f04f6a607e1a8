import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { findSandbox } from '../../publishers/sandboxes.ts';
import { adminErrors, publisherPath } from '../schemas.ts';
import { sandboxAnswer, sandboxTags, shownSandbox } from './sandbox-schemas.ts';

export function showRoute(app: App, { clock, database: { db } }: Service): void {
  app.get(
    '/publishers/:publisherId/sandbox',
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getSandbox',
        summary: 'Get the sandbox of a publisher',
        description: 'For a live publisher, its open sandbox; for a sandbox, the sandbox itself.',
        tags: sandboxTags,
        params: publisherPath,
        response: { 200: sandboxAnswer, ...adminErrors },
      },
    },
    async ({ params: { publisherId } }, reply) => {
      const found = await findSandbox(db, publisherId);
      return sendJson(reply, { sandbox: found && shownSandbox(found, clock) });
    },
  );
}
