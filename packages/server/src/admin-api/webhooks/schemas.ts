import { Type } from 'typebox';
import { eventKinds } from '../../webhooks/event-kinds.ts';
import { nullable, pageOf, publisherPath, time } from '../schemas.ts';

const kind = Type.String({ enum: [...eventKinds] });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const endpoint = Type.Object(
  {
    endpointId: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String(), { description: 'What it is told of.' }),
    isEnabled: Type.Boolean(),
    isListener: Type.Boolean({ description: 'Somebody who listens from a terminal: nothing is sent to it.' }),
    disabledReason: nullable(Type.String({ description: 'Why it is off.' })),
    failingSince: nullable(time('The first failed attempt since the last delivery.')),
    rotation: nullable(
      Type.Object(
        { startedAt: time('From then on both secrets sign.'), endsAt: time('Then it ends by itself.') },
        { title: 'SecretRotation' },
      ),
    ),
    health: Type.Object(
      {
        delivered: count('Of the latest 50 deliveries, those that arrived.'),
        failed: count('Those given up.'),
        retrying: count('Those that failed, and are tried again.'),
        lastDeliveredAt: nullable(time('The last of them that arrived.')),
        lastFailedEventId: nullable(
          Type.String({ description: 'The newest of them of which the last attempt failed.' }),
        ),
      },
      { title: 'EndpointHealth' },
    ),
    createdAt: time('When it was added.'),
    version: Type.String({ description: 'Send it with a change.' }),
  },
  { title: 'WebhookEndpoint' },
);

export const endpointList = Type.Object(
  {
    rows: Type.Array(endpoint),
    kinds: Type.Array(Type.String(), { description: 'All that an endpoint may be told of.' }),
  },
  { title: 'WebhookEndpoints' },
);

export const newEndpoint = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_000 }),
    events: Type.Optional(Type.Array(kind, { minItems: 1, maxItems: 100, uniqueItems: true })),
  },
  { additionalProperties: false, title: 'NewWebhookEndpoint' },
);

const withWarning = { warning: nullable(Type.String({ description: 'What whoever saved it should know.' })) };

export const createdEndpoint = Type.Object(
  {
    endpointId: Type.String(),
    url: Type.String(),
    secret: Type.String({ description: 'Shown this once.' }),
    ...withWarning,
  },
  { title: 'CreatedWebhookEndpoint' },
);

export const endpointChanges = Type.Object(
  {
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    events: Type.Optional(Type.Array(kind, { minItems: 1, maxItems: 100, uniqueItems: true })),
    isEnabled: Type.Optional(Type.Boolean()),
    version: Type.Optional(Type.String({ maxLength: 100, description: 'Of the endpoint as you saw it.' })),
  },
  { additionalProperties: false, title: 'WebhookEndpointChanges' },
);

export const changedEndpoint = Type.Object({ endpoint, ...withWarning }, { title: 'ChangedWebhookEndpoint' });

export const testResult = Type.Object(
  {
    eventId: Type.String(),
    url: Type.String(),
    isDelivered: Type.Boolean(),
    statusCode: nullable(Type.Integer()),
    error: nullable(Type.String({ description: 'Why there was no answer.' })),
    durationMs: count('From the beginning of the attempt to its end.'),
    answer: Type.String({ description: 'How the answer began.' }),
  },
  { title: 'WebhookTest' },
);

export const newSecret = Type.Object(
  {
    secret: Type.String({ description: 'Shown this once.' }),
    endsAt: time('Then the old one signs no more.'),
  },
  { title: 'NewWebhookSecret' },
);

export const states = ['Pending', 'Delivered', 'Failed'] as const;

export const delivery = Type.Object(
  {
    eventId: Type.String(),
    endpointId: Type.String(),
    kind: Type.String(),
    state: Type.String({ enum: [...states] }),
    attemptCount: count('Attempts that were made.'),
    nextAttemptAt: nullable(time('When it is tried next.')),
    createdAt: time('When it happened.'),
    finishedAt: nullable(time('When it arrived, or was given up.')),
    lastStatusCode: nullable(Type.Integer()),
    lastError: nullable(Type.String()),
  },
  { title: 'WebhookDelivery' },
);

export const deliveryPage = pageOf(delivery, 'WebhookDeliveries');

const header = Type.Object({ name: Type.String(), value: Type.String() });

export const deliveryDetail = Type.Object(
  {
    delivery,
    endpoint: nullable(
      Type.Object({ url: Type.String({ description: 'As it is now.' }), isEnabled: Type.Boolean() }),
    ),
    body: Type.String({ description: 'What is sent, to the byte.' }),
    attempts: Type.Array(
      Type.Object(
        {
          attemptNumber: count('Counted from 1.'),
          startedAt: time('When it began.'),
          durationMs: count('How long it took.'),
          statusCode: nullable(Type.Integer()),
          error: nullable(Type.String()),
          headers: Type.Array(header, {
            description: 'As they were sent; signatures are not kept.',
          }),
          answer: Type.String({ description: 'How the answer began, 4 KB at most.' }),
        },
        { title: 'WebhookAttempt' },
      ),
    ),
  },
  { title: 'WebhookDeliveryDetail' },
);

const what = Type.String({
  enum: ['undelivered', 'failed', 'all'],
  description:
    'undelivered: what never arrived, and what an endpoint missed while it was off; failed: what was given up; all: also what arrived.',
});
const since = Type.String({ format: 'date-time', description: 'Events from then on.' });
const endpointId = Type.Optional(
  Type.String({ maxLength: 64, description: 'To this endpoint alone; else to all that are on.' }),
);

export const replayCountQuery = Type.Object({ since, what: Type.Optional(what), endpointId });

export const replayCount = Type.Object(
  {
    deliveries: count('How many would be sent.'),
    isExact: Type.Boolean({ description: 'Whether there are no more than these.' }),
  },
  { title: 'ReplayCount' },
);

export const replayBody = Type.Object(
  {
    eventId: Type.Optional(Type.String({ maxLength: 64, description: 'This event, delivered or not.' })),
    since: Type.Optional(since),
    what: Type.Optional(what),
    endpointId,
    after: Type.Optional(
      Type.String({ maxLength: 64, description: 'The `next` of the answer before, which goes on there.' }),
    ),
  },
  { additionalProperties: false, title: 'Replay' },
);

export const replayed = Type.Object(
  {
    replayed: count('Deliveries that are on their way now.'),
    underWay: count('Those that were being sent at this moment, and are left to that.'),
    next: nullable(
      Type.String({ description: 'Ask again with it as `after`: there was more than 10,000 events.' }),
    ),
  },
  { title: 'Replayed' },
);

export const endpointPath = Type.Object({
  ...publisherPath.properties,
  endpointId: Type.String({ minLength: 1, maxLength: 64 }),
});

export const deliveryPath = Type.Object({
  ...endpointPath.properties,
  eventId: Type.String({ minLength: 1, maxLength: 64 }),
});
