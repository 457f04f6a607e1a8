import { Type } from 'typebox';
import { eventKinds, testEventKind } from '../../webhooks/event-kinds.ts';
import { editedVersion, nullable, oneOf, pageOf, publisherPath, time, versionField } from '../schemas.ts';
import { subjectKinds } from './delivery-subjects.ts';

const kind = Type.String({ enum: [...eventKinds] });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const endpoint = Type.Object(
  {
    endpointId: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String(), { description: 'Kinds of events that the endpoint receives.' }),
    isEnabled: Type.Boolean(),
    isListener: Type.Boolean({
      description: 'True for a listening terminal (`webhooks listen`), to which no requests are sent.',
    }),
    disabledReason: nullable(Type.String({ description: 'Reason the endpoint is disabled.' })),
    failingSince: nullable(time('Time of the first failed attempt since the last successful delivery.')),
    rotation: nullable(
      Type.Object(
        {
          startedAt: time('Start of the period in which both secrets sign.'),
          endsAt: time('Time at which the old secret stops being used.'),
        },
        { title: 'SecretRotation' },
      ),
    ),
    health: Type.Object(
      {
        delivered: count('Number of successful deliveries among the latest 50 deliveries.'),
        failed: count('Number of abandoned deliveries among the latest 50 deliveries.'),
        retrying: count(
          'Number of deliveries that failed and are being retried, among the latest 50 deliveries.',
        ),
        lastDeliveredAt: nullable(time('Time of the last successful delivery.')),
        lastFailedEventId: nullable(
          Type.String({ description: 'Id of the newest event whose last delivery attempt failed.' }),
        ),
      },
      { title: 'EndpointHealth' },
    ),
    overdueSince: nullable(
      time(
        'Time at which the oldest delivery that is more than a minute late should have been attempted. Null for an endpoint that is off.',
      ),
    ),
    createdAt: time('Creation time.'),
    version: versionField,
  },
  { title: 'WebhookEndpoint' },
);

export const endpointList = Type.Object(
  {
    rows: Type.Array(endpoint),
    kinds: Type.Array(Type.String(), { description: 'All kinds of events.' }),
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

const withWarning = {
  warning: nullable(
    Type.String({
      description: 'Warning about the saved endpoint, such as a URL without TLS; null if there is none.',
    }),
  ),
};

export const createdEndpoint = Type.Object(
  {
    endpointId: Type.String(),
    url: Type.String(),
    secret: Type.String({ description: 'Secret, shown only once.' }),
    ...withWarning,
  },
  { title: 'CreatedWebhookEndpoint' },
);

export const endpointChanges = Type.Object(
  {
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    events: Type.Optional(Type.Array(kind, { minItems: 1, maxItems: 100, uniqueItems: true })),
    isEnabled: Type.Optional(Type.Boolean()),
    version: Type.Optional(editedVersion),
  },
  { additionalProperties: false, title: 'WebhookEndpointChanges' },
);

export const changedEndpoint = Type.Object({ endpoint, ...withWarning }, { title: 'ChangedWebhookEndpoint' });

export const testQuery = Type.Object({
  kind: Type.Optional(
    Type.String({
      enum: [testEventKind, ...eventKinds],
      default: testEventKind,
      description:
        'Kind of the test event. Any kind but the default has example values, and `isTest` in its payload.',
    }),
  ),
});

export const testResult = Type.Object(
  {
    eventId: Type.String(),
    url: Type.String(),
    isDelivered: Type.Boolean(),
    statusCode: nullable(Type.Integer()),
    error: nullable(Type.String({ description: 'Reason there was no response.' })),
    durationMs: count('Duration of the attempt, in milliseconds.'),
    answer: Type.String({ description: 'Beginning of the response body.' }),
  },
  { title: 'WebhookTest' },
);

export const newSecret = Type.Object(
  {
    secret: Type.String({ description: 'Secret, shown only once.' }),
    endsAt: time('Time at which the old secret stops being used.'),
  },
  { title: 'NewWebhookSecret' },
);

export const states = ['Pending', 'Delivered', 'Failed'] as const;

export const delivery = Type.Object(
  {
    eventId: Type.String(),
    endpointId: Type.String(),
    kind: Type.String(),
    isTest: Type.Boolean({ description: 'True for a test event. Test events are never replayed.' }),
    state: Type.String({ enum: [...states] }),
    attemptCount: count('Number of attempts made.'),
    tryCount: count('Number of attempts made since the delivery was last replayed.'),
    nextAttemptAt: nullable(time('Time of the next attempt.')),
    createdAt: time('Time the event occurred.'),
    finishedAt: nullable(time('Time the delivery succeeded or was abandoned.')),
    lastStatusCode: nullable(Type.Integer()),
    lastError: nullable(Type.String()),
    lastDurationMs: nullable(count('Duration of the last attempt, in milliseconds.')),
    subject: nullable(
      Type.Object(
        {
          kind: oneOf(subjectKinds),
          id: Type.String({ description: 'Id of the purchase, creator, payout or group.' }),
          name: nullable(
            Type.String({ description: 'Name of the creator or group, or number of the payout.' }),
          ),
        },
        { title: 'DeliverySubject', description: 'What the event is about. Test events have no subject.' },
      ),
    ),
  },
  { title: 'WebhookDelivery' },
);

export const deliveryPage = pageOf(delivery, 'WebhookDeliveries');

const header = Type.Object({ name: Type.String(), value: Type.String() });

export const deliveryDetail = Type.Object(
  {
    delivery,
    endpoint: nullable(
      Type.Object({
        url: Type.String({ description: 'Current URL of the endpoint.' }),
        isEnabled: Type.Boolean(),
      }),
    ),
    body: Type.String({ description: 'Exact body of the requests.' }),
    attempts: Type.Array(
      Type.Object(
        {
          attemptNumber: count('Attempt number, from 1.'),
          startedAt: time('Start of the attempt.'),
          durationMs: count('Duration, in milliseconds.'),
          statusCode: nullable(Type.Integer()),
          error: nullable(Type.String()),
          headers: Type.Array(header, {
            description: 'Headers as sent, without signatures, which are not stored.',
          }),
          answer: Type.String({ description: 'Beginning of the response body, up to 4 KB.' }),
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
    'undelivered: events that were never delivered, or that an endpoint missed while it was disabled. failed: events whose delivery was abandoned. all: all events, including delivered events.',
});
const since = Type.String({ format: 'date-time', description: 'Time of the earliest event to replay.' });
const range = {
  since: Type.Optional(since),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'End of the range (exclusive). The default is now.' }),
  ),
  kind: Type.Optional(
    Type.String({
      enum: [...eventKinds],
      description: 'Kind of the events to replay. The default is all kinds.',
    }),
  ),
  what: Type.Optional(what),
};
const endpointId = Type.Optional(
  Type.String({ maxLength: 64, description: 'Endpoint to replay to. The default is all enabled endpoints.' }),
);

export const replayCountQuery = Type.Object({ ...range, since, endpointId });

export const replayCount = Type.Object(
  {
    deliveries: count('Number of deliveries that would be sent.'),
    isExact: Type.Boolean({ description: 'False if there are more deliveries.' }),
  },
  { title: 'ReplayCount' },
);

export const replayBody = Type.Object(
  {
    eventId: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id of the event to replay, even if it was delivered.' }),
    ),
    ...range,
    endpointId,
    after: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "`next` from the previous response. The replay continues after that response's events.",
      }),
    ),
  },
  { additionalProperties: false, title: 'Replay' },
);

export const replayed = Type.Object(
  {
    replayed: count('Number of deliveries that will be sent again.'),
    underWay: count('Number of deliveries that were already being sent and were not changed.'),
    firstEventIds: Type.Array(Type.String(), {
      description: 'Ids of the first events that will be sent, at most 50, in order.',
    }),
    next: nullable(
      Type.String({
        description: 'Value of `after` for the next request if there are more than 10,000 events.',
      }),
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
