import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { closeSandbox } from '../../program-file/copy/close-sandbox.ts';
import { adminOperations } from '../admin-operations.ts';
import { sandboxAnswer, showSandbox } from './sandbox-schemas.ts';

export function closeRoute(app: App, { clock, database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Sandbox');
  operation(
    ['post', '/publishers/:publisherId/sandbox/close', 'closeSandbox'],
    {
      may: 'program',
      summary: 'Permanently close the sandbox of a live publisher',
      description: 'Revokes its API keys and removes its webhook endpoints. It can no longer be opened.',
      body: Type.Object(
        {
          sandboxId: Type.String({
            maxLength: 255,
            description: 'publisherId of the sandbox to close, as last read.',
          }),
        },
        { ...closed, title: 'SandboxToClose' },
      ),
      answer: sandboxAnswer,
    },
    async ({ params: { publisherId }, body: { sandboxId }, actor }) => {
      await closeSandbox(db, actor, { publisherId, sandboxId }, clock.now());
      return showSandbox(db, publisherId, clock);
    },
  );
}
