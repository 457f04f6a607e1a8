import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import {
  getVerification,
  listVerifications,
  type Verification,
} from '../../settlement/verify/jobs/read-verifications.ts';
import { requestVerification } from '../../settlement/verify/jobs/request-verification.ts';
import { adminOperations } from '../admin-operations.ts';
import { actorSummary } from '../payouts/payout-model.ts';
import { nullable, oneOf, pageOf, pageQuery, time } from '../schemas.ts';

const statuses = ['Waiting', 'Running', 'Sound', 'NotExplained', 'Failed'] as const;

const checkedCounts = Type.Object(
  {
    days: Type.Integer(),
    ofDays: Type.Integer(),
    payouts: Type.Integer(),
    ofPayouts: Type.Integer(),
    rows: Type.Integer(),
    entries: Type.Integer(),
    balances: Type.Integer(),
  },
  { title: 'LookedAt' },
);

const finding = Type.Object(
  {
    rule: Type.String({ description: 'Rule that is broken.' }),
    place: Type.String({ description: 'Row or sum that breaks the rule.' }),
    rows: Type.Array(Type.String(), { description: "Some of the sum's rows, if a sum breaks the rule." }),
  },
  { title: 'LedgerFinding' },
);

const verification = Type.Object(
  {
    verificationId: Type.String(),
    status: oneOf(statuses, { title: 'VerificationStatus' }),
    looksAtAll: Type.Boolean({
      description:
        'True for a full verification, which also checks data that has not changed since it last passed.',
    }),
    requestedAt: time('When the verification was requested.'),
    requestedBy: actorSummary,
    startedAt: nullable(time('When a worker started the verification.')),
    endedAt: nullable(time('When the verification ended.')),
    rowsRead: Type.Integer(),
    ofRows: nullable(Type.Integer({ description: 'Estimated number of rows to read.' })),
    looked: nullable(checkedCounts),
    finding: nullable(finding),
    failure: nullable(Type.String({ description: 'Reason the verification could not finish.' })),
  },
  { title: 'LedgerVerification' },
);

const toVerification = (each: Verification) => ({
  ...each,
  requestedAt: each.requestedAt,
  startedAt: each.startedAt,
  endedAt: each.endedAt,
});

export function verificationRoutes(
  app: App,
  { database: { db } }: Service,
  { pages }: { pages: Pages },
): void {
  const { operation, rawOperation } = adminOperations(app, 'Ledger');
  rawOperation(
    ['post', '/publishers/:publisherId/ledger/verifications', 'verifyLedger'],
    {
      may: 'verify',
      summary: 'Verify the ledger',
      description:
        'A worker starts the verification within seconds. Only one runs at a time: if one is unfinished, the request returns it.',
      body: Type.Object(
        {
          all: Type.Optional(
            Type.Boolean({
              description: 'True to also verify data that has not changed since it last passed.',
            }),
          ),
        },
        { ...closed, title: 'VerificationToStart' },
      ),
      answers: {
        202: Type.Object({ isNew: Type.Boolean(), verification }, { title: 'StartedVerification' }),
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { verificationId, isNew } = await requestVerification(db, request.actor, {
        publisherId,
        looksAtAll: request.body.all ?? false,
      });
      const requested = await getVerification(db, publisherId, verificationId);
      return sendJson(reply.code(202), { isNew, verification: toVerification(requested) });
    },
  );

  operation(
    ['get', '/publishers/:publisherId/ledger/verifications', 'listVerifications'],
    {
      may: 'read',
      summary: 'List verifications of the ledger, newest first',
      query: pageQuery,
      answer: pageOf(verification, 'VerificationPage'),
    },
    async (request) => {
      const { cursor = null, limit: size = 50 } = request.query;
      const page = await listVerifications(db, pages, request.params.publisherId, { cursor, size });
      return { rows: page.rows.map(toVerification), nextCursor: page.nextCursor };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/ledger/verifications/:verificationId', 'getVerification'],
    {
      may: 'read',
      summary: "Get a verification's progress or result",
      path: { verificationId: Type.String({ maxLength: 64 }) },
      answer: verification,
    },
    async (request) => {
      const { publisherId, verificationId } = request.params;
      return toVerification(await getVerification(db, publisherId, verificationId));
    },
  );
}
