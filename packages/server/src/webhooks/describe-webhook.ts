import { type TObject, Type } from 'typebox';
import { type EventKind, testEventKind } from './event-kinds.ts';

/** Kind of event, as described to receivers. */
export interface DescribedEvent {
  kind: EventKind | typeof testEventKind;
  description: string;
  event: TObject;
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

/** Headers on every webhook request (docs/webhooks.md#verifying). */
const signatures = [
  header('webhook-id', 'The `eventId` from the body.', '01a1fdb8-cbcc-76c3-b6f4-5c901270ec4a'),
  header(
    'webhook-timestamp',
    'Time at which this attempt was sent, in seconds since the Unix epoch.',
    '1795258129',
  ),
  header(
    'webhook-signature',
    'Standard Webhooks signature over id, timestamp, and body. During a secret rotation, two signatures separated by a space.',
    'v1,QnLwvTYa1D3ZlVYcUv4N7m0lCq8xY5o2b9fKk3sTz1g=',
  ),
  header(
    'x-webhook-signature-256',
    'Signature over `eventId`, `createdAt`, and `event` only. On its own, it does not protect against replayed requests.',
    `sha256=${'5e'.repeat(32)}`,
  ),
];

const createdAt = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}$',
  description: "Time at which the event was created, in UTC. The value doesn't include a time zone.",
});

const isTest = Type.Optional(
  Type.Literal(true, {
    description:
      "Present in a test event, whose ids don't refer to anything real. Accept it without acting on it. Absent in real events.",
  }),
);

const answers = {
  200: {
    description:
      'The event was delivered. Any other status, including 201, 204, and redirects, counts as a failure.',
  },
  403: {
    description:
      'The signature does not match. The event is retried for about three days, as after any status other than 200.',
  },
};

/**
 * Returns the entry for an event kind in the `webhooks` section of the OpenAPI document, keyed by
 * eventAction.
 */
export function describeWebhook({ kind, description, event, example }: DescribedEvent): [string, object] {
  const [eventType = '', eventAction = ''] = kind.split('/');
  const body = Type.Object(
    {
      eventId: Type.String({
        format: 'uuid',
        description:
          'Unique id of the event, the same on every attempt and replay. Ignore events that you have already processed.',
      }),
      createdAt,
      eventType: Type.Literal(eventType),
      eventAction: Type.Literal(eventAction),
      event: kind === testEventKind ? event : withIsTest(event),
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
    security: [], // signed instead of authenticated by an API key
    parameters: signatures,
    requestBody: { required: true, content: { 'application/json': { schema: body, example: value } } },
    responses: answers,
  };
  return [eventAction, { post }];
}

/** Cached by schema, because kinds with the same fields share a model in the API document. */
const withIsTestOf = new Map<TObject, TObject>();

function withIsTest(event: TObject): TObject {
  const known = withIsTestOf.get(event);
  if (known !== undefined) return known;
  const { properties, required: _required, type: _type, ...options } = event;
  const extended = Type.Object({ ...properties, isTest }, options);
  withIsTestOf.set(event, extended);
  return extended;
}
