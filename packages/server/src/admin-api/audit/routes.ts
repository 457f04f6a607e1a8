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
import { inTurn } from '../in-turn.ts';
import type { Exports } from '../running-exports.ts';
import { adminErrors, nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';
import { withNames } from './read-names.ts';

const facts = nullable(Type.Record(Type.String(), Type.Unknown(), { title: 'Facts' }));

const auditEntry = Type.Object(
  {
    auditId: Type.String(),
    at: time('When it was changed.'),
    actor: Type.Object(
      {
        kind: Type.String({ enum: [...actorKinds] }),
        id: Type.String(),
        name: Type.String({ description: 'What it was called then.' }),
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
          as: Type.String({ description: '`target`, or what the fact with the id is called.' }),
          kind: Type.String(),
          id: Type.String(),
          name: Type.String({
            description:
              'As it is called now. Of a schedule its window, of an endpoint its address, of a payout its total.',
          }),
          within: nullable(
            Type.String({
              description:
                'The group that it is in, of a creator that of the change, of a reward the bounty.',
            }),
          ),
          isGone: Type.Boolean({ description: 'Revoked, withdrawn, deleted, or of the staff no more.' }),
        },
        { title: 'AuditName' },
      ),
      {
        description:
          'What is called something, of what the entry names by ids. What has left nothing behind is not here.',
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
      description: 'noun.verb, or a noun for all its verbs',
    }),
  ),
  target: Type.Optional(Type.String({ maxLength: 600, description: 'kind:id' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'From this moment on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
};
const filterQuery = Type.Object(filters);
const listQuery = Type.Object({ ...pageQuery, ...filters });

/** Of an export, in memory at once. */
const exportedTogether = 200;

/** Who changed what. */
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
        summary: 'Who changed what, the newest first',
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
        summary: 'One change',
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
        summary: 'Every change as NDJSON, a line each; asks for the permission to export, too',
        tags,
        params: publisherPath,
        querystring: filterQuery,
        response: {
          200: {
            description: 'Lines, each an AuditEntry without `names`.',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      if (!may(staffOf(request), 'export'))
        throw new Refusal('Forbidden', 'Your role may read the audit log, and not export it.');
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
        .send(Readable.from(linesOf(database, pages, toFilter(publisherId, request.query))));
    },
  );
}

/** Page by page, as fast as they are read. */
async function* linesOf(database: Database, pages: Pages, filter: ChangeFilter): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const place = { cursor, size: exportedTogether };
    const page: Page<AuditEntry> = await inTurn(database, filter.publisherId, () =>
      listChanges(database.reports, pages, filter, place),
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
