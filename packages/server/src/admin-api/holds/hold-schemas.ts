import { Type } from 'typebox';
import { storable, timestamp } from '../../platform/http/schemas/schemas.ts';
import { maxHoldReason } from '../../settlement/holds/save-holds.ts';
import { groupQuery, minor, nullable, time } from '../schemas.ts';

/** Filters of the list of open holds. */
export const holdFilter = {
  ...groupQuery,
  member: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Only holds on this creator, and on rows that credit the creator.',
    }),
  ),
};

export const reasonInput = Type.String({
  minLength: 1,
  maxLength: maxHoldReason,
  pattern: storable,
  description: 'Reason, shown to people who view the payout and stored in the audit log.',
});

export const endsAtInput = Type.Optional(
  timestamp('Time at which the hold ends automatically. Without it, the hold lasts until it is released.'),
);

const holdActor = Type.Object(
  { kind: Type.String({ description: 'Kind of actor, as in the audit log.' }), name: Type.String() },
  { title: 'HoldActor' },
);

/** Properties of a hold that don't depend on its subject. */
export const holdTerms = {
  holdId: Type.String({ format: 'uuid' }),
  reason: Type.String(),
  endsAt: nullable(time('When the hold ends automatically; null if it must be released.')),
  placedAt: time('When the hold was placed.'),
  placedBy: holdActor,
};

export const hold = Type.Object(
  {
    ...holdTerms,
    row: nullable(
      Type.Object(
        {
          rowId: Type.String({ format: 'uuid' }),
          transactionId: Type.String(),
          currency: Type.String(),
          amountMinor: minor("The creator's share, less what was taken back."),
        },
        { title: 'HeldRow', description: 'Row on hold; null for a hold on a creator.' },
      ),
    ),
    memberId: Type.String({ description: 'Creator who would be paid.' }),
    name: Type.String({ description: "The creator's name." }),
    groupId: nullable(
      Type.String({ description: 'Group whose payouts the hold affects; null for all groups.' }),
    ),
    release: nullable(
      Type.Object(
        { reason: Type.String(), at: time('When the hold was released.'), by: holdActor },
        { title: 'HoldRelease', description: 'Release of the hold; null until it is released.' },
      ),
    ),
  },
  { title: 'Hold', description: 'Hold on a row of a purchase, or on a creator.' },
);
