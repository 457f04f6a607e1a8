import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { actorKinds } from '../../audit/actor.ts';
import { type AuditEntry, type ChangeFilter, getChange, listChanges } from '../../audit/list-changes.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { AdminService } from '../admin-service.ts';
import { asSeparateRequest } from '../as-separate-request.ts';
import type { Exports } from '../running-exports.ts';
import { adminErrors, nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';
import { withNames } from './read-names.ts';

const facts = nullable(Type.Record(Type.String(), Type.Unknown(), { title: 'Facts' }));

const auditEntry = Type.Object(
  {
    auditId: Type.String(),
    at: time('Time of the change.'),
    actor: Type.Object(
      {
        kind: Type.String({ enum: [...actorKinds] }),
        id: Type.String(),
        name: Type.String({ description: 'Name of the actor at that time.' }),
        address: Type.Optional(Type.String()),
        requestId: Type.Optional(Type.String()),
        command: Type.Optional(Type.String()),
      },
      { title: 'Actor' },
    ),
    action: Type.String({ description: 'noun.verb' }),
    target: Type.String({ description: 'kind:id' }),
    before: facts,
    after: facts,
    reason: nullable(Type.String()),
    names: Type.Array(
      Type.Object(
        {
          as: Type.String({ description: '`target`, or the name of the fact with the id.' }),
          kind: Type.String(),
          id: Type.String(),
          name: Type.String({
            description:
              'Current name: for a schedule its window, for an endpoint its URL, for a payout its total.',
          }),
          within: nullable(
            Type.String({
              description:
                'Group that it belongs to; for a creator the group of the change, for a reward its bounty.',
            }),
          ),
          isGone: Type.Boolean({
            description: 'True if it was revoked, withdrawn or deleted, or is no longer on the staff.',
          }),
        },
        { title: 'AuditName' },
      ),
      {
        description: 'Current names of the ids in the entry. Ids without a name are left out.',
      },
    ),
  },
  { title: 'AuditEntry' },
);

const filters = {
  actorKind: Type.Optional(Type.String({ enum: [...actorKinds] })),
  actorId: Type.Optional(Type.String({ maxLength: 255 })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z-]+(\\.[a-z-]+)?$',
      maxLength: 100,
      description: 'noun.verb, or a noun for all of its verbs',
    }),
  ),
  target: Type.Optional(Type.String({ maxLength: 600, description: 'kind:id' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the range.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the range (exclusive).' })),
};
const filterQuery = Type.Object(filters);
const listQuery = Type.Object({ ...pageQuery, ...filters });

/** Number of entries that an export reads and holds in memory at once. */
const exportPageSize = 200;

/** Registers the routes of the audit log. */
export function auditRoutes(
  app: App,
  { database }: AdminService,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  const { db } = database;
  const tags = ['Audit'];
  const root = '/publishers/:publisherId';

  app.get(
    `${root}/audit`,
    {
      config: { staff: 'audit' },
      schema: {
        operationId: 'listAudit',
        summary: 'List audit entries, newest first',
        tags,
        params: publisherPath,
        querystring: listQuery,
        response: { 200: pageOf(auditEntry, 'AuditEntries'), ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const { cursor = null, limit = 50 } = query;
      const page = await listChanges(db, pages, toFilter(publisherId, query), { cursor, size: limit });
      return sendJson(reply, { ...page, rows: await withNames(db, publisherId, page.rows) });
    },
  );

  app.get(
    `${root}/audit/:auditId`,
    {
      config: { staff: 'audit' },
      schema: {
        operationId: 'getAuditEntry',
        summary: 'Get an audit entry',
        tags,
        params: Type.Object({
          ...publisherPath.properties,
          auditId: Type.String({ minLength: 1, maxLength: 64 }),
        }),
        response: { 200: auditEntry, ...adminErrors },
      },
    },
    async ({ params: { publisherId, auditId } }, reply) => {
      const [entry] = await withNames(db, publisherId, [await getChange(db, publisherId, auditId)]);
      return sendJson(reply, entry);
    },
  );

  app.get(
    `${root}/audit.ndjson`,
    {
      config: { staff: 'audit' },
      schema: {
        operationId: 'exportAudit',
        summary: 'Export audit entries as NDJSON; also requires the permission `export`',
        tags,
        params: publisherPath,
        querystring: filterQuery,
        response: {
          200: {
            description: 'One AuditEntry per line, without `names`.',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      if (!may(staffOf(request), 'export'))
        throw new Refusal(
          'Forbidden',
          "Your role can't export the audit log. An owner can change your role on the Team screen.",
        );
      exports.begin(request, reply);
      await inTransaction(db, (tx) =>
        recordChange(tx, request.actor, {
          publisherId,
          action: 'audit.export',
          target: `publisher:${publisherId}`,
          after: request.query,
        }),
      );
      database.expectReports();
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="audit-${encodeURIComponent(publisherId)}.ndjson"`,
        )
        .send(Readable.from(exportLines(database, pages, toFilter(publisherId, request.query))));
    },
  );
}

/** Yields the entries as lines of NDJSON, a page at a time, as fast as the client reads them. */
async function* exportLines(database: Database, pages: Pages, filter: ChangeFilter): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const position = { cursor, size: exportPageSize };
    const page: Page<AuditEntry> = await asSeparateRequest(database, filter.publisherId, () =>
      listChanges(database.reports, pages, filter, position),
    );
    yield page.rows.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const toFilter = (
  publisherId: string,
  { from, until, ...rest }: Static<typeof filterQuery> & { cursor?: string; limit?: number },
): ChangeFilter => ({
  publisherId,
  actorKind: rest.actorKind,
  actorId: rest.actorId,
  action: rest.action,
  target: rest.target,
  ...(from !== undefined && { from: readTimestamp(from) }),
  ...(until !== undefined && { until: readTimestamp(until) }),
});
