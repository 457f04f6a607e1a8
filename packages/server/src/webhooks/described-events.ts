import { Type } from 'typebox';
import { asTyped } from '../platform/program-name.ts';
import type { DescribedEvent } from './describe-webhook.ts';

export const webhookEvents: readonly DescribedEvent[] = [
  {
    kind: 'Webhook/Test',
    description: `Nothing happened: somebody tries the endpoint (\`${asTyped('webhooks test')}\`).`,
    event: Type.Object(
      { endpointId: Type.String(), message: Type.String() },
      { title: 'TestEvent', description: 'Which endpoint is tried.' },
    ),
    example: { endpointId: 'we_5', message: 'A test of this webhook endpoint: nothing happened.' },
  },
];
