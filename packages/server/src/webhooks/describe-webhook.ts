import { type TSchema, Type } from 'typebox';
import type { EventKind, testEventKind } from './event-kinds.ts';

/** What receivers are told of a kind of event. */
export interface DescribedEvent {
  kind: EventKind | typeof testEventKind;
  /** When it is sent. */
  description: string;
  /** Of the payload. */
  event: TSchema;
  example: object;
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The same with every request (docs/webhooks.md#verifying). */
const signatures = [
  header('webhook-id', "The body's eventId.", '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a'),
  header('webhook-timestamp', 'When this attempt was sent, in seconds.', '1795258129'),
  header(
    'webhook-signature',
    'Of Standard Webhooks, over id, timestamp and body; two with a space between while the secret changes.',
    'v1,QnLwvTYa1D3ZlVYcUv4N7m0lCq8xY5o2b9fKk3sTz1g=',
  ),
  header(
    'x-webhook-signature-256',
    'Over eventId, createdAt and event alone: relied on by itself it lets old requests be sent again.',
    `sha256=${'5e'.repeat(32)}`,
  ),
];

const createdAt = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}$',
  description: 'When it happened, in UTC, although it does not say so.',
});

const answers = {
  200: { description: 'Delivered. Nothing else is: 201, 204 and redirects are failures.' },
  403: {
    description: 'The signature is not right. Like everything but 200 it is sent again, for three days.',
  },
};

/** A kind of event as `webhooks` of the API's document has it: its name there is the eventAction. */
export function describeWebhook({ kind, description, event, example }: DescribedEvent): [string, object] {
  const [eventType = '', eventAction = ''] = kind.split('/');
  const body = Type.Object(
    {
      eventId: Type.String({
        format: 'uuid',
        description: 'The same on every attempt and replay: what came before is ignored.',
      }),
      createdAt,
      eventType: Type.Literal(eventType),
      eventAction: Type.Literal(eventAction),
      event,
    },
    { title: `${eventAction}Notification`, description },
  );
  const value = {
    eventId: '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a',
    createdAt: '2026-11-21 10:48:28.864000',
    eventType,
    eventAction,
    event: example,
  };
  const post = {
    operationId: `receive${eventAction}`,
    summary: `${eventType}/${eventAction}`,
    description,
    tags: ['Webhooks'],
    security: [], // signed, and no key of ours
    parameters: signatures,
    requestBody: { required: true, content: { 'application/json': { schema: body, example: value } } },
    responses: answers,
  };
  return [eventAction, { post }];
}
