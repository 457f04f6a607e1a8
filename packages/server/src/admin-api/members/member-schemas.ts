import { Type } from 'typebox';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { minor, nullable, time } from '../schemas.ts';

export const memberTags = ['Creators'];

export const memberStatus = Type.Union([
  Type.Literal('Approved'),
  Type.Literal('Pending'),
  Type.Literal('Removed'),
]);

export const namedTier = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'NamedTier' });

/** What a list says of a member. */
export const listedMember = Type.Object(
  {
    memberId: Type.String({ description: 'Its account.' }),
    name: Type.String(),
    logoImage: nullable(Type.String()),
    groupId: Type.String(),
    groupName: Type.String(),
    playerId: nullable(Type.String()),
    status: memberStatus,
    tier: nullable(namedTier),
    codes: Type.Array(Type.String(), { description: 'The primary one first.' }),
    joinedAt: time('When the membership began.'),
    removedAt: nullable(time('')),
    removalReason: nullable(Type.String()),
  },
  { title: 'ListedCreator' },
);

export const boundedCount = Type.Object(
  { atLeast: Type.Integer(), isExact: Type.Boolean({ description: 'Whether there are no more.' }) },
  { title: 'BoundedCount' },
);

export const memberPath = Type.Object({
  publisherId: Type.String({ minLength: 1, maxLength: 255 }),
  memberId: Type.String({ minLength: 1, maxLength: 255, description: "The member's account." }),
});

export const codeScope = Type.Union([Type.Literal('group'), Type.Literal('global')], {
  description: 'Good in this group alone, or in all groups of its creator.',
});

const memberMoney = Type.Object(
  {
    currency: Type.String(),
    balanceMinor: minor('What the publisher owes the creator; negative after a clawback.'),
    purchases: Type.Integer({ description: 'Of the last 30 UTC days, without reversed ones.' }),
    grossMinor: minor('Of the same purchases.'),
    shareMinor: minor("The creator's part of it."),
  },
  { title: 'CreatorMoney' },
);

const memberBounty = Type.Object(
  {
    name: Type.String(),
    limit: nullable(Type.Integer({ description: 'How often it can be completed.' })),
    isCompleted: Type.Boolean({ description: 'As often as it can be.' }),
    completionCount: Type.Integer(),
    objectives: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          count: Type.Number(),
          target: Type.Number(),
          condition: Type.String(),
          currency: nullable(Type.String({ description: 'Of an Amount, whose numbers are smallest units.' })),
        },
        { title: 'CreatorObjective' },
      ),
    ),
  },
  { title: 'CreatorBounty' },
);

/** Everything that is known of one creator in a group. */
export const memberDetail = Type.Object(
  {
    memberId: Type.String({ description: 'Its account; of one that was claimed, who claimed it.' }),
    name: Type.String(),
    logoImage: nullable(Type.String()),
    profileImage: nullable(Type.String()),
    isOurs: Type.Boolean({
      description:
        "Whether name, images and global codes are the publisher's to change: no creator claimed it.",
    }),
    groupId: Type.String(),
    groupName: Type.String(),
    otherGroups: Type.Array(
      Type.Object(
        { groupId: Type.String(), groupName: Type.String(), status: memberStatus },
        { title: 'OtherMembership' },
      ),
    ),
    playerId: nullable(Type.String()),
    displayName: nullable(Type.String()),
    status: memberStatus,
    isVisible: Type.Boolean(),
    tier: nullable(namedTier),
    joinedAt: time('When the membership began.'),
    removedAt: nullable(time('')),
    removalReason: nullable(Type.String()),
    codes: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          scope: codeScope,
          isPrimary: Type.Boolean(),
          isGenerated: Type.Boolean(),
          isManaged: Type.Boolean(),
          isApproved: Type.Boolean({ description: 'One that is not credits nobody.' }),
        },
        { title: 'CreatorCode' },
      ),
    ),
    identities: Type.Array(
      Type.Object(
        {
          provider: Type.String(),
          id: nullable(Type.String({ description: "Null where the account is its creator's own." })),
        },
        { title: 'CreatorIdentity' },
      ),
    ),
    money: Type.Array(memberMoney),
    bounties: Type.Array(memberBounty),
    claims: Type.Array(
      Type.Object(
        {
          memberId: Type.String(),
          name: Type.String(),
          claimedAt: time(''),
          playerId: nullable(Type.String()),
        },
        { title: 'CreatorClaim', description: 'What was merged into this creator.' },
      ),
    ),
    authCode: Type.Object({
      mayIssue: Type.Boolean({ description: 'Else its creator alone gets auth codes.' }),
      goodUntil: nullable(time('')),
    }),
    version: Type.String({ description: 'To be sent with a change.' }),
  },
  { title: 'Creator' },
);

export const removalReason = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: storable,
  description: 'Why the creator leaves; kept with it, and sent with the event RemovedMember.',
});
