import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { applicationStates, readApplicationsOf } from '../../members/applications/read-applications.ts';
import { requireCreator } from '../../members/read/require-creator.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toAccountId } from '../../platform/ids.ts';
import { readEmailOf } from '../../portal/portal-of-member.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, oneOf, time } from '../schemas.ts';
import { memberPath } from './member-schemas.ts';

const application = Type.Object(
  {
    groupId: Type.String(),
    groupName: Type.String(),
    state: oneOf(applicationStates, { description: 'Open: not decided yet. Expired: not decided in time.' }),
    code: nullable(Type.String({ description: 'Code that the creator wants.' })),
    appliedAt: time('When the creator applied.'),
    expiresAt: time('When an open application ends if no one decides.'),
    decidedAt: nullable(time('When it was decided, or ended.')),
    reason: nullable(Type.String({ description: 'Reason for a refusal, which the creator sees.' })),
    terms: Type.Object(
      { version: Type.Integer(), sha256: Type.String() },
      { title: 'AcceptedTerms', description: 'Version of the terms that the creator accepted.' },
    ),
  },
  { title: 'CreatorApplication' },
);

export function applicationRoute(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Creators');
  operation(
    ['get', '/publishers/:publisherId/members/:memberId/applications', 'listApplicationsOfCreator'],
    {
      may: 'read',
      summary: 'List a creator’s latest application to each group',
      description: 'The newest first.',
      path: memberPath.properties,
      answer: Type.Object(
        {
          rows: Type.Array(application),
          email: nullable(
            Type.String({
              description:
                'Address that the applicant has verified; null without an application, and if no one is connected to the account.',
            }),
          ),
        },
        { title: 'CreatorApplications' },
      ),
    },
    async ({ params: { publisherId, memberId } }) => {
      const { accountId } = await requireCreator(db, { publisherId, memberId: toAccountId(memberId) });
      const found = await readApplicationsOf(db, publisherId, [accountId]);
      const rows = found.map(({ membershipId: _, ...row }) => row);
      return { rows, email: rows.length === 0 ? null : await readEmailOf(db, accountId) };
    },
  );
}
