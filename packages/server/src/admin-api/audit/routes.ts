import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { may, staffOf } from '../../accounts/require-staff.ts';
import { actorKinds } from '../../audit/actor.ts';
import { type AuditEntry, type ChangeFilter, getChange, listChanges } from '../../audit/list-changes.ts';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import type { Database } from '../../platform/database/database.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { adminOperations } from '../admin-operations.ts';
import { type Column, exportList } from '../export-list.ts';
import { csvAnswer } from '../payouts/csv-answer.ts';
import { requireFound } from '../require-found.ts';
import type { Exports } from '../running-exports.ts';
import { nullable, pageOf, pageQuery, time } from '../schemas.ts';
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
          as: Type.String({ description: '`target`, or the name of the fact that contains the id.' }),
          kind: Type.String(),
          id: Type.String(),
          name: Type.String({
            description:
              'Current name. A schedule is named by its window, an endpoint by its URL, and a payout by its total.',
          }),
          within: nullable(
            Type.String({
              description:
                'Group of the object; for a reward, its bounty. For a creator, the group in which the change was made.',
            }),
          ),
          isGone: Type.Boolean({
            description:
              'True if the object was revoked, withdrawn or deleted, or if the person left the staff.',
          }),
        },
        { title: 'AuditName' },
      ),
      {
        description: 'Current names of the ids in the entry. Ids that have no name are left out.',
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
      description: 'Action as noun.verb, or a noun to match all of its verbs.',
    }),
  ),
  target: Type.Optional(Type.String({ maxLength: 600, description: 'kind:id' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the time range.' })),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'End of the time range (exclusive).' }),
  ),
};
const filterQuery = Type.Object(filters);
const listQuery = Type.Object({ ...pageQuery, ...filters });

/**
 * Maximum number of chosen entries. Their ids are in the URL, which must stay below the 8 kB that proxies
 * accept.
 */
const maxChosen = 200;
const chosenEntries = Type.Optional(
  Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: maxChosen,
    description:
      'Ids of the entries to export, as a repeated parameter or separated by commas. The default is all entries.',
  }),
);

/** Number of entries that an export reads and holds in memory at once. */
const exportPageSize = 200;

export function auditRoutes(
  app: App,
  { database }: Service,
  { pages, exports }: { pages: Pages; exports: Exports },
): void {
  const { operation, rawOperation } = adminOperations(app, 'Audit');
  const { db } = database;

  operation(
    ['get', '/publishers/:publisherId/audit', 'listAudit'],
    {
      may: 'audit',
      summary: 'List audit entries, newest first',
      query: listQuery.properties,
      answer: pageOf(auditEntry, 'AuditEntries'),
    },
    async ({ params: { publisherId }, query }) => {
      const { cursor = null, limit = 50 } = query;
      const page = await listChanges(db, pages, toFilter(publisherId, query), { cursor, size: limit });
      return { ...page, rows: await withNames(db, publisherId, page.rows) };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/audit/:auditId', 'getAuditEntry'],
    {
      may: 'audit',
      summary: 'Get an audit entry',
      path: { auditId: Type.String({ minLength: 1, maxLength: 64 }) },
      answer: auditEntry,
    },
    async ({ params: { publisherId, auditId } }) => {
      const [entry] = await withNames(db, publisherId, [await getChange(db, publisherId, auditId)]);
      return requireFound(entry, 'The entry');
    },
  );

  rawOperation(
    ['get', '/publishers/:publisherId/audit.csv', 'exportAuditAsCsv'],
    {
      may: 'audit',
      summary: 'Export audit entries as CSV, newest first; also requires the `export` permission',
      query: { ...filterQuery.properties, ids: chosenEntries },
      answers: { 200: csvAnswer },
    },
    (request, reply) => {
      const { publisherId } = request.params;
      requireExport(request);
      const { ids, ...filters } = request.query;
      const filter = { ...toFilter(publisherId, filters), auditIds: ids };
      return exportList(
        { database, exports, request, reply },
        {
          publisherId,
          name: 'audit',
          action: 'audit.export',
          columns,
          readPage: (reports, position) => listChanges(reports, pages, filter, position),
          rowsPerPiece: exportPageSize,
        },
      );
    },
  );

  rawOperation(
    ['get', '/publishers/:publisherId/audit.ndjson', 'exportAudit'],
    {
      may: 'audit',
      summary: 'Export audit entries as NDJSON; also requires the `export` permission',
      query: { ...filterQuery.properties, ids: chosenEntries },
      answers: {
        200: {
          description: 'One AuditEntry per line, without `names`.',
          content: { 'application/x-ndjson': { schema: Type.String() } },
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      requireExport(request);
      const { ids, ...filters } = request.query;
      const filter = { ...toFilter(publisherId, filters), auditIds: ids };
      exports.begin(request, reply);
      await recordExport(db, request.actor, {
        publisherId,
        action: 'audit.export',
        target: `publisher:${publisherId}`,
        after: request.query,
      });
      database.expectReports();
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', attachmentOf(`audit-${publisherId}.ndjson`))
        .send(Readable.from(exportLines(database, pages, filter)));
    },
  );
}

function requireExport(request: FastifyRequest): void {
  if (!may(staffOf(request), 'export'))
    throw new Refusal(
      'Forbidden',
      "Your role can't export the audit log. An owner can change your role on the Team screen.",
    );
}

const columns: readonly Column<AuditEntry>[] = [
  ['auditId', ({ auditId }) => ({ exactId: auditId })],
  ['at', ({ at }) => ({ figure: at.toISOString() })],
  ['actorKind', ({ actor }) => ({ figure: actor.kind })],
  ['actorId', ({ actor }) => ({ exactId: actor.id })],
  ['actorName', ({ actor }) => ({ text: actor.name })],
  ['action', ({ action }) => ({ figure: action })],
  ['target', ({ target }) => ({ text: target })],
  ['reason', ({ reason }) => ({ text: reason })],
  ['before', ({ before }) => ({ text: before && JSON.stringify(before) })],
  ['after', ({ after }) => ({ text: after && JSON.stringify(after) })],
];

/** Yields the entries as NDJSON lines, one page at a time, as fast as the client reads them. */
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
