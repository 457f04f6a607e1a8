import { Type } from 'typebox';
import { nullable, time } from '../schemas.ts';

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
