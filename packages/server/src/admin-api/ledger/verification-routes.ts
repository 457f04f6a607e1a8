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
import { actorSummary } from '../payouts/payout-model.ts';
import { adminErrors, nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';

const statuses = ['Waiting', 'Running', 'Sound', 'NotExplained', 'Failed'] as const;

const looked = Type.Object(
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
    rule: Type.String({ description: 'What must hold, and does not.' }),
    place: Type.String({ description: 'The row, or the sum, that is not explained.' }),
    rows: Type.Array(Type.String(), { description: 'Of a sum, some of the rows that it is of.' }),
  },
  { title: 'LedgerFinding' },
);

const verification = Type.Object(
  {
    verificationId: Type.String(),
    status: Type.Union(
      statuses.map((status) => Type.Literal(status)),
      { title: 'VerificationStatus' },
    ),
    looksAtAll: Type.Boolean({ description: 'At what has not moved since it was found sound, too.' }),
    requestedAt: time(''),
    requestedBy: actorSummary,
    startedAt: nullable(time('')),
    endedAt: nullable(time('')),
    rowsRead: Type.Integer(),
    ofRows: nullable(Type.Integer({ description: 'About how many rows it will read.' })),
    looked: nullable(looked),
    finding: nullable(finding),
    failure: nullable(Type.String({ description: 'Why it came to no end.' })),
  },
  { title: 'LedgerVerification' },
);

const toVerification = (each: Verification) => ({
  ...each,
  requestedAt: each.requestedAt.toISOString(),
  startedAt: each.startedAt?.toISOString() ?? null,
  endedAt: each.endedAt?.toISOString() ?? null,
});

const url = '/publishers/:publisherId/ledger/verifications';
const tags = ['Ledger'];

/** Proofs of the ledger: asked for, run by a worker, kept. */
export function verificationRoutes(
  app: App,
  { database: { db } }: Service,
  { pages }: { pages: Pages },
): void {
  app.post(
    url,
    {
      config: { staff: 'verify' },
      schema: {
        operationId: 'verifyLedger',
        summary: 'Have the ledger proven',
        description:
          'A worker begins within seconds. There is one at a time: asked meanwhile, it names that one.',
        tags,
        params: publisherPath,
        body: Type.Object(
          {
            all: Type.Optional(
              Type.Boolean({ description: 'Looks at what has not moved since it was found sound, too.' }),
            ),
          },
          { ...closed, title: 'VerificationToStart' },
        ),
        response: {
          202: Type.Object({ isNew: Type.Boolean(), verification }, { title: 'StartedVerification' }),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { verificationId, isNew } = await requestVerification(db, request.actor, {
        publisherId,
        looksAtAll: request.body.all ?? false,
      });
      const asked = await getVerification(db, publisherId, verificationId);
      return sendJson(reply.code(202), { isNew, verification: toVerification(asked) });
    },
  );

  app.get(
    url,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'listVerifications',
        summary: 'Proofs of the ledger, the newest first',
        tags,
        params: publisherPath,
        querystring: Type.Object(pageQuery),
        response: { 200: pageOf(verification, 'VerificationPage'), ...adminErrors },
      },
    },
    async (request, reply) => {
      const { cursor = null, limit: size = 50 } = request.query;
      const page = await listVerifications(db, pages, request.params.publisherId, { cursor, size });
      return sendJson(reply, { rows: page.rows.map(toVerification), nextCursor: page.nextCursor });
    },
  );

  app.get(
    `${url}/:verificationId`,
    {
      config: { staff: 'read' },
      schema: {
        operationId: 'getVerification',
        summary: 'One proof, with how far it is or what it found',
        tags,
        params: Type.Object({ ...publisherPath.properties, verificationId: Type.String({ maxLength: 64 }) }),
        response: { 200: verification, ...adminErrors },
      },
    },
    async (request, reply) => {
      const { publisherId, verificationId } = request.params;
      return sendJson(reply, toVerification(await getVerification(db, publisherId, verificationId)));
    },
  );
}
