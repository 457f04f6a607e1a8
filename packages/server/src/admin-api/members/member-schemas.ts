import { Type } from 'typebox';
import { storable, visible } from '../../platform/http/schemas/schemas.ts';
import { groupQuery, minor, nullable, time, versionField } from '../schemas.ts';

export const memberStatus = Type.Union([
  Type.Literal('Approved'),
  Type.Literal('Pending'),
  Type.Literal('Removed'),
]);

/** Filters of the list of creators. */
export const memberFilter = {
  status: Type.Optional(memberStatus),
  ...groupQuery,
  tier: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tier.' })),
  tag: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tag.' })),
  q: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 255,
      pattern: storable,
      description:
        'Part of a name, prefix of a code, or a complete id. Parts that are not at the start of a name are searched for the 5,000 creators who joined last.',
    }),
  ),
};

export const namedTier = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'NamedTier' });

export const namedTag = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'NamedTag' });

const memberBalance = Type.Object(
  {
    currency: Type.String(),
    balanceMinor: minor('Amount that the publisher owes the creator; can be negative after a clawback.'),
  },
  { title: 'CreatorBalance' },
);

export const listedMember = Type.Object(
  {
    memberId: Type.String({ description: "The member's account." }),
    name: Type.String(),
    logoImage: nullable(Type.String()),
    groupId: Type.String(),
    groupName: Type.String(),
    playerId: nullable(Type.String()),
    status: memberStatus,
    tier: nullable(namedTier),
    codes: Type.Array(Type.String(), { description: 'Primary code first.' }),
    tags: Type.Array(namedTag, { description: 'Sorted by name.' }),
    balances: Type.Array(memberBalance, {
      description:
        'Nonzero balances, sorted by currency, including those of memberships that were merged into this one. New purchases are included once they are posted.',
    }),
    joinedAt: time('When the membership began.'),
    removedAt: nullable(time('When the creator was removed.')),
    removalReason: nullable(Type.String()),
    application: nullable(
      Type.Object(
        {
          code: nullable(Type.String({ description: 'Code that the creator wants.' })),
          appliedAt: time('When the creator applied.'),
          expiresAt: time('When the application ends if no one decides.'),
        },
        { title: 'UndecidedApplication' },
      ),
    ),
  },
  { title: 'ListedCreator' },
);

export const boundedCount = Type.Object(
  {
    atLeast: Type.Integer(),
    isExact: Type.Boolean({ description: 'True if `atLeast` is the exact number of members.' }),
  },
  { title: 'BoundedCount' },
);

export const memberPath = Type.Object({
  publisherId: Type.String({ minLength: 1, maxLength: 255 }),
  memberId: Type.String({ minLength: 1, maxLength: 255, description: "The member's account." }),
});

export const codeScope = Type.Union([Type.Literal('group'), Type.Literal('global')], {
  description:
    "group: the code is valid in this group only. global: the code is valid in all of the creator's groups.",
});

const memberMoney = Type.Object(
  {
    currency: Type.String(),
    balanceMinor: minor('Amount that the publisher owes the creator; can be negative after a clawback.'),
    purchases: Type.Integer({
      description: 'Purchases in the last 30 UTC days, excluding reversed purchases.',
    }),
    grossMinor: minor(
      'Sum of the subtotals of the purchases in the last 30 UTC days, excluding reversed purchases.',
    ),
    shareMinor: minor(
      "Sum of the creator's shares of the purchases in the last 30 UTC days, excluding reversed purchases.",
    ),
  },
  { title: 'CreatorMoney' },
);

const memberBounty = Type.Object(
  {
    name: Type.String(),
    limit: nullable(
      Type.Integer({ description: 'Maximum number of completions per member; null if there is no limit.' }),
    ),
    isCompleted: Type.Boolean({ description: 'True if the member has reached the limit on completions.' }),
    completionCount: Type.Integer(),
    objectives: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          count: Type.Number(),
          target: Type.Number(),
          condition: Type.String(),
          currency: nullable(
            Type.String({
              description: 'Currency of an Amount objective, whose numbers are in minor units.',
            }),
          ),
        },
        { title: 'CreatorObjective' },
      ),
    ),
  },
  { title: 'CreatorBounty' },
);

export const memberDetail = Type.Object(
  {
    memberId: Type.String({
      description:
        "Id of the member's account; for a claimed member, id of the account that claimed the member.",
    }),
    name: Type.String(),
    logoImage: nullable(Type.String()),
    profileImage: nullable(Type.String()),
    isOurs: Type.Boolean({
      description:
        'True if the publisher may change the name, images and global codes, because no creator has claimed the account.',
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
    removedAt: nullable(time('When the creator was removed.')),
    removalReason: nullable(Type.String()),
    codes: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          scope: codeScope,
          isPrimary: Type.Boolean(),
          isGenerated: Type.Boolean(),
          isManaged: Type.Boolean(),
          isApproved: Type.Boolean({
            description: 'False if the code is not approved; purchases with it are not credited.',
          }),
        },
        { title: 'CreatorCode' },
      ),
    ),
    tags: Type.Array(namedTag, {
      description: 'Sorted by name. The same in all of the creator’s groups, and not covered by the version.',
    }),
    identities: Type.Array(
      Type.Object(
        {
          provider: Type.String(),
          id: nullable(Type.String({ description: "Null if the account is the creator's own." })),
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
          claimedAt: time('When the member was claimed.'),
          playerId: nullable(Type.String()),
        },
        { title: 'CreatorClaim', description: 'Members that were merged into this creator.' },
      ),
    ),
    authCode: Type.Object({
      mayIssue: Type.Boolean({ description: 'False if only the creator can get auth codes.' }),
      goodUntil: nullable(time('When the current auth code expires.')),
    }),
    version: versionField,
  },
  { title: 'Creator' },
);

export const removalReason = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: storable,
  description: 'Reason for the removal, which is stored and sent with the RemovedMember event.',
});

export const tagNameField = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: visible,
  description: 'Name of a tag, case-insensitive: at most 40 characters, without commas, semicolons or |.',
});
