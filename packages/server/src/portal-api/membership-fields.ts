import { Type } from 'typebox';
import type { OwnMembership } from '../members/read/list-own-memberships.ts';
import { oneOf } from '../platform/http/schemas/fields.ts';

/** Fields that name one of a creator's memberships. */
export const membershipFields = {
  accountId: Type.String(),
  accountName: Type.String(),
  groupId: Type.String(),
  groupName: Type.String(),
};

export const memberStatus = oneOf(['Approved', 'Pending', 'Removed'], {
  title: 'MemberStatus',
  description: 'Approved: purchases with the codes are credited. Pending or Removed: they are not.',
});

export const namesOfMembership = ({ accountId, accountName, groupId, groupName }: OwnMembership) => ({
  accountId,
  accountName,
  groupId,
  groupName,
});

/** Returns the ids of accounts. */
export const idsOf = <Id>(accounts: readonly { accountId: Id }[]): Id[] =>
  accounts.map(({ accountId }) => accountId);

/** Query parameters of a paged list. */
export const pageQuery = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: '`nextCursor` of the previous page.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Maximum number of rows.' }),
  ),
};
