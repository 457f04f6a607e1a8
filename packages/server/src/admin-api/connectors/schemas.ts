import { Type } from 'typebox';
import { checkNames } from '../../connectors/check-connector.ts';
import { eventReasons, eventStatuses, readKinds } from '../../connectors/events/event-record.ts';
import { providerIds } from '../../connectors/providers/all-providers.ts';
import { connectorSettings, genericSettings } from '../../connectors/settings.ts';
import { closed } from '../../platform/inputs.ts';
import { editedVersion, minor, nullable, oneOf, pageOf, time, versionField } from '../schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const connector = Type.Object(
  {
    connectorId: Type.String(),
    name: Type.String(),
    provider: Type.String({ enum: [...providerIds] }),
    groupId: nullable(
      Type.String({ description: 'Creator group of its purchases; null for the default group.' }),
    ),
    settings: connectorSettings,
    path: Type.String({
      description:
        'Path of the address that the provider sends to, at the service’s origin; empty for a provider that is polled.',
    }),
    signatureHeader: Type.String({
      description: 'Header in which the provider signs; empty for a provider that is polled.',
    }),
    hasSecret: Type.Boolean({
      description: 'False until the signing secret was entered. Until then, requests are rejected.',
    }),
    secretChangeStartedAt: nullable(
      time('Start of a change of the secret, during which the old one is accepted too.'),
    ),
    pausedAt: nullable(time('Time since which events are stored but not worked on.')),
    refused: nullable(
      Type.Object(
        { at: time('Time of the latest request without a valid signature.'), reason: Type.String() },
        { title: 'RefusedConnectorRequest' },
      ),
    ),
    refusedSince: nullable(
      time(
        'Time of the first request without a valid signature since the latest one with a valid signature; null if no request was rejected since then.',
      ),
    ),
    poll: nullable(
      Type.Object(
        {
          polledAt: nullable(time('Latest time at which the provider’s report was read.')),
          nextAt: nullable(
            time(
              'Time of the next poll; null if it is due, or while there is no key. During a poll, the time after which another process may take it over.',
            ),
          ),
          failingSince: nullable(time('First of the failed polls since the latest successful one.')),
          failures: count('Number of failed polls since the latest successful one.'),
          problem: nullable(Type.String({ description: 'Reason the latest poll failed.' })),
        },
        {
          title: 'ConnectorPoll',
          description: 'State of the polls of a provider that sends no events; null for other providers.',
        },
      ),
    ),
    createdAt: time('Creation time.'),
    version: versionField,
  },
  { title: 'Connector' },
);

export const listedConnector = Type.Object(
  {
    ...connector.properties,
    counts: Type.Object(
      {
        waiting: count('Events that wait.'),
        done: count('Events that are done.'),
        samples: count(
          'Samples among the events that are done. Those before the last 1,000 done events don’t count.',
        ),
        ignored: count('Events that were ignored.'),
        failed: count('Events that failed.'),
      },
      { title: 'ConnectorCounts', description: 'Events of the last 30 days, each number at most 10,000.' },
    ),
    lastEventAt: nullable(time('Time of the latest event from the provider. Samples don’t count.')),
    lastRecordedAt: nullable(
      time(
        'Arrival of the latest order from the provider that recorded a purchase. Samples and orders before the last 1,000 finished events don’t count.',
      ),
    ),
  },
  { title: 'ListedConnector' },
);

export const providerInfo = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    hasHandshake: Type.Boolean({
      description: 'True if the provider may ask a question before it sends events.',
    }),
    isPolled: Type.Boolean({
      description: 'True if the provider sends nothing, so that its report is read with a key.',
    }),
    secretName: Type.String({ description: 'Name of the secret at the provider.' }),
    requiredSettings: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name of the setting.' }),
          label: Type.String(),
          description: Type.String(),
          pattern: Type.String({ description: 'Regular expression that a value matches.' }),
        },
        { title: 'RequiredConnectorSetting' },
      ),
      { description: 'Settings without which a connector of this provider can’t be added.' },
    ),
    fixtures: Type.Array(Type.String(), { description: 'Names of its test events.' }),
  },
  { title: 'ConnectorProvider' },
);

export const connectorList = Type.Object(
  {
    rows: Type.Array(listedConnector),
    providers: Type.Array(providerInfo),
    presets: Type.Array(
      Type.Object(
        { id: Type.String(), settings: genericSettings },
        { title: 'ConnectorPreset', description: 'Settings of a preset. `own` is the default.' },
      ),
    ),
  },
  { title: 'Connectors' },
);

const name = Type.String({ minLength: 1, maxLength: 100 });
const groupId = Type.String({ minLength: 1, maxLength: 255 });
const secret = Type.String({
  minLength: 1,
  maxLength: 600,
  description: 'Signing secret that the provider shows. It is never returned.',
});

export const newConnector = Type.Object(
  {
    name,
    provider: Type.String({ enum: [...providerIds] }),
    groupId: Type.Optional(groupId),
    settings: Type.Optional(connectorSettings),
    secret: Type.Optional(secret),
  },
  { ...closed, title: 'NewConnector' },
);

export const connectorChanges = Type.Object(
  {
    name: Type.Optional(name),
    groupId: Type.Optional(nullable(groupId)),
    settings: Type.Optional(connectorSettings),
    isPaused: Type.Optional(Type.Boolean()),
    version: Type.Optional(editedVersion),
  },
  { ...closed, title: 'ConnectorChanges' },
);

export const newSecret = Type.Object({ secret }, { ...closed, title: 'ConnectorSecret' });

export const connectorPath = { connectorId: Type.String({ minLength: 1, maxLength: 64 }) };

export const eventPath = { ...connectorPath, eventId: Type.String({ minLength: 1, maxLength: 64 }) };

const event = {
  eventId: Type.String(),
  connectorId: Type.String(),
  type: Type.String({ description: 'The provider’s name for this kind of event.' }),
  kind: oneOf(readKinds, {
    description: 'What it was read as.',
  }),
  isTest: Type.Boolean(),
  isSample: Type.Boolean({ description: 'True if the service made it itself, to test the connector.' }),
  orderId: nullable(Type.String({ description: 'The provider’s id of the order.' })),
  transactionId: nullable(Type.String({ description: 'Purchase that it recorded or changed.' })),
  amount: nullable(
    Type.Object(
      { minor: minor('Amount with tax, in minor units.'), currency: Type.String() },
      { title: 'ConnectorAmount', description: 'What the buyer paid, got back or disputes, as it was read.' },
    ),
  ),
  status: oneOf(eventStatuses),
  reason: Type.String({
    enum: Object.values(eventReasons)
      .flat()
      .filter((each, index, all) => all.indexOf(each) === index),
    description: 'Reason for the status.',
  }),
  message: nullable(Type.String({ description: 'What a person needs to know about it.' })),
  missingCode: nullable(Type.String({ description: 'Code that credited no creator.' })),
  attempts: count('Number of times that it was worked on.'),
  repeats: count('Number of times that it arrived again.'),
  receivedAt: time('Time of its arrival.'),
  nextAttemptAt: nullable(time('Time of the next attempt.')),
  finishedAt: nullable(time('Time at which it was finished.')),
};

export const connectorEvent = Type.Object(event, { title: 'ConnectorEvent' });
export const eventPage = pageOf(connectorEvent, 'ConnectorEvents');

export const missingCodes = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: 'Code in lower case.' }),
          orders: count('Number of orders that named it.'),
          oldestAt: time('Time at which the oldest of these orders arrived.'),
          recordableUntil: time('Time after which the oldest of these orders is not recorded anymore.'),
          isApproved: Type.Boolean({
            description: 'True if it credits a creator now. The orders are about to be recorded.',
          }),
        },
        { title: 'MissingCode' },
      ),
    ),
  },
  { title: 'MissingCodes' },
);

const named = (title: string) => Type.Object({ name: Type.String(), value: Type.String() }, { title });

export const eventDetail = Type.Object(
  {
    ...event,
    body: nullable(Type.String({ description: 'Body that arrived; null once it is not stored anymore.' })),
    headers: Type.Array(named('ConnectorHeader'), { description: 'Headers, without signatures.' }),
    reading: Type.Array(named('ConnectorReading'), { description: 'Values that were read.' }),
    problem: nullable(Type.String({ description: 'Reason the body could not be read.' })),
    rows: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          description: Type.String(),
          status: Type.String(),
          subtotalMinor: minor('Amount without tax.'),
          currency: Type.String(),
          skuId: nullable(Type.String()),
          shareMinor: nullable(minor('Share; null until it is posted.')),
          sharePercent: nullable(Type.Number()),
          refundedMinor: minor('Part of the subtotal that was refunded.'),
        },
        { title: 'ConnectorRow' },
      ),
      { description: 'Rows of the purchase, at most 100.' },
    ),
  },
  { title: 'ConnectorEventDetail' },
);

export const replayed = Type.Object(
  {
    replayed: count('Number of events that are worked on again.'),
    isMoreLeft: Type.Boolean({ description: 'True if more events failed than one call replays.' }),
  },
  { title: 'ReplayedConnectorEvents' },
);

export const newTest = Type.Object(
  {
    fixture: Type.Optional(Type.String({ minLength: 1, maxLength: 60, default: 'order_paid' })),
    code: Type.String({ minLength: 1, maxLength: 255, description: 'Creator code of the order.' }),
    orderId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Order of an earlier test, for a refund of it.',
      }),
    ),
  },
  { ...closed, title: 'NewConnectorTest' },
);

export const testResult = Type.Object(
  { orderId: Type.String({ description: 'Order of the test.' }), event: eventDetail },
  { title: 'ConnectorTest' },
);

export const connectorCheck = Type.Object(
  {
    event: nullable(
      Type.Object(
        {
          eventId: event.eventId,
          type: event.type,
          isTest: event.isTest,
          isSample: event.isSample,
          orderId: event.orderId,
          receivedAt: event.receivedAt,
        },
        { title: 'CheckedConnectorEvent', description: 'Event that the checks are about.' },
      ),
    ),
    checks: Type.Array(
      Type.Object(
        {
          check: oneOf(checkNames),
          state: oneOf(['waiting', 'passed', 'failed']),
          detail: nullable(Type.String({ description: 'What was found.' })),
        },
        { title: 'ConnectorCheck' },
      ),
    ),
  },
  { title: 'ConnectorChecks' },
);
