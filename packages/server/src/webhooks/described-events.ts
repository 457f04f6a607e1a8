import { Type } from 'typebox';
import { asTyped } from '../platform/program-name.ts';
import type { DescribedEvent } from './describe-webhook.ts';

export const webhookEvents: readonly DescribedEvent[] = [
  {
    kind: 'Webhook/Test',
    description: `Sent only to test an endpoint, with \`${asTyped('webhooks test')}\` or from the dashboard.`,
    event: Type.Object(
      { endpointId: Type.String(), message: Type.String() },
      { title: 'TestEvent', description: 'A test event for one endpoint.' },
    ),
    example: {
      endpointId: 'we_5',
      message: 'This is a test of this webhook endpoint. No real event occurred.',
    },
  },
];
