import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable, timestamp } from '../../platform/http/schemas/schemas.ts';
import { toAccountId } from '../../platform/ids.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { endGate } from '../../settlement/gates/end-gate.ts';
import { remindDays } from '../../settlement/gates/ending-clearances.ts';
import { gateKinds } from '../../settlement/gates/gates.ts';
import { listGates } from '../../settlement/gates/list-gates.ts';
import { setGate } from '../../settlement/gates/set-gate.ts';
import { maxHoldReason } from '../../settlement/holds/save-holds.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberPath } from '../members/member-schemas.ts';
import { nullable, oneOf, pageOf, pageQuery, time } from '../schemas.ts';
import { importClearancesRoute } from './import-route.ts';

const gateKind = oneOf(gateKinds, {
  title: 'GateKind',
  description:
    'tax: a tax clearance, which payouts may need. review: keeps everything that the creator is due out of payouts.',
});

const gateActor = Type.Object(
  { kind: Type.String({ description: 'Kind of actor, as in the audit log.' }), name: Type.String() },
  { title: 'GateActor' },
);

const gate = Type.Object(
  {
    gateId: Type.String({ format: 'uuid' }),
    kind: gateKind,
    memberId: Type.String(),
    name: Type.String({ description: "The creator's name." }),
    from: time('Start of the period.'),
    until: nullable(time('End of the period; null for a period without an end.')),
    remindAt: nullable(
      time(
        `Time from which the end of a tax clearance needs attention, ${remindDays} days before it; null for a review or a period without an end.`,
      ),
    ),
    note: Type.String(),
    setAt: time('When the gate was set.'),
    setBy: gateActor,
    end: nullable(
      Type.Object(
        { reason: Type.String(), at: time('When a person ended the gate.'), by: gateActor },
        { title: 'GateEnd', description: 'Null unless a person ended the gate early.' },
      ),
    ),
  },
  { title: 'Gate', description: 'Tax clearance or review of a creator.' },
);

const noteInput = (description: string) =>
  Type.String({ minLength: 1, maxLength: maxHoldReason, pattern: storable, description });

export function gateRoutes(app: App, service: Service, { pages }: { pages: Pages }): void {
  listRoute(app, service, pages);
  setRoute(app, service);
  endRoute(app, service);
  importClearancesRoute(app, service);
}

function listRoute(app: App, { database: { db } }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['get', '/publishers/:publisherId/gates', 'listGates'],
    {
      may: 'read',
      summary: 'List open tax clearances and reviews, newest first',
      description: 'Gates that were ended, or whose period is over, are not listed.',
      query: {
        ...pageQuery,
        kind: Type.Optional(oneOf(gateKinds)),
        member: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'Only gates of this creator.' }),
        ),
        ending: Type.Optional(
          Type.Boolean({
            description: `True to list only tax clearances that end within ${remindDays} days and aren't extended by another clearance.`,
          }),
        ),
      },
      answer: pageOf(gate, 'GatePage'),
    },
    ({
      params: { publisherId },
      query: { kind = null, member, ending: isEnding = false, cursor = null, limit: size = 50 },
    }) => {
      const memberId = member === undefined ? null : toAccountId(member);
      return listGates(db, pages, { publisherId, kind, memberId, isEnding }, { cursor, size });
    },
  );
}

function setRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/members/:memberId/gates', 'setGate'],
    {
      may: 'payouts',
      summary: 'Set a tax clearance, or put a creator under review',
      description:
        'The service stores neither tax forms nor tax numbers. In the note, write where the form is stored. A gate that is already ' +
        'set for the period is rejected with 409.',
      path: memberPath.properties,
      body: Type.Object(
        {
          kind: gateKind,
          from: Type.Optional(
            timestamp('Start of a tax clearance. The default is now, and a review always starts now.'),
          ),
          until: Type.Optional(timestamp('End of the period. Without it, the gate lasts until it is ended.')),
          note: noteInput('Note, such as "W-8BEN 2026-03". Must not contain a tax number.'),
        },
        { ...closed, title: 'NewGate' },
      ),
      answer: gate,
    },
    ({ params, body: { kind, from, until, note }, actor }) =>
      setGate(db, actor, {
        publisherId: params.publisherId,
        memberId: toAccountId(params.memberId),
        kind,
        from: from === undefined ? null : readTimestamp(from),
        until: until === undefined ? null : readTimestamp(until),
        note,
      }),
  );
}

function endRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payouts');
  operation(
    ['post', '/publishers/:publisherId/gates/:gateId/end', 'endGate'],
    {
      may: 'payouts',
      summary: 'End a review, or revoke a tax clearance',
      description: 'Returns 409 if the gate is already over.',
      path: { gateId: Type.String({ minLength: 1, maxLength: 64 }) },
      body: Type.Object(
        { reason: noteInput('Reason, for the audit log.') },
        { ...closed, title: 'NewGateEnd' },
      ),
      answer: gate,
    },
    ({ params: { publisherId, gateId }, body: { reason }, actor }) =>
      endGate(db, actor, { publisherId, gateId, reason }),
  );
}
