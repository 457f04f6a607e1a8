import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { countSupporters } from '../../player-codes/supporters.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { adminOperations } from '../admin-operations.ts';
import { memberPath } from './member-schemas.ts';

const dayMs = 86_400_000;
/** Ended codes are kept for 90 days, and a player's last code for its duration. */
const maxDays = 90;

const figures = Type.Object(
  {
    groupId: Type.String(),
    now: Type.Integer({ description: 'Number of players whose code is in force.' }),
    new: Type.Integer({
      description: 'Number of times that a player without such a code entered one in the period.',
    }),
    ended: Type.Integer({
      description:
        'Number of times that a player’s code ended in the period without being renewed: it expired, was replaced, or was deleted.',
    }),
  },
  { title: 'SupportersOfGroup' },
);

export function supporterRoutes(app: App, { database: { db }, clock }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/supporters', 'countSupporters'],
    {
      may: 'read',
      summary: 'Count the players who support creators',
      description:
        'By group; groups without any are left out. Creators who aren’t Approved now are not counted. For a group, a player who changes from one of its creators to another is neither new nor ended.',
      query: {
        member: Type.Optional(memberPath.properties.memberId),
        days: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxDays,
            default: 30,
            description: 'Length of the period until now.',
          }),
        ),
      },
      answer: Type.Object(
        { days: Type.Integer(), groups: Type.Array(figures) },
        { title: 'Supporters', description: 'Supporters now, and how they changed in the period.' },
      ),
    },
    async ({ params: { publisherId }, query: { member, days = 30 } }) => {
      const to = await nowAt(db, clock, publisherId);
      const from = new Date(to.getTime() - days * dayMs);
      const memberId = member === undefined ? null : toAccountId(member);
      const byGroup = await countSupporters(db, { publisherId, groupId: null, memberId }, { from, to });
      return { days, groups: [...byGroup].map(([groupId, counts]) => ({ groupId, ...counts })) };
    },
  );
}
