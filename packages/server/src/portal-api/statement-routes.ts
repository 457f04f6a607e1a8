import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Service } from '../composition.ts';
import { membershipsOfAccounts } from '../members/read/memberships-of-accounts.ts';
import { attachmentOf } from '../platform/http/answers/attachment.ts';
import { RunningDownloads } from '../platform/http/answers/running-downloads.ts';
import { sendCsv } from '../platform/http/answers/send-csv.ts';
import type { App } from '../platform/http/app-type.ts';
import { asSeparateRequest } from '../platform/http/as-separate-request.ts';
import { accountsOf, sessionOf } from '../portal/require-portal.ts';
import { getStatement, listStatements } from '../settlement/statements/read-statements.ts';
import { statementFileName } from '../settlement/statements/statement.ts';
import { exportStatement } from '../settlement/statements/statement-csv.ts';
import { statement, statementList, toShownStatement } from '../settlement/statements/statement-schemas.ts';
import { portalFiles } from './portal-files.ts';
import { portalOperations } from './portal-operations.ts';

const statementPath = { statementId: Type.String({ maxLength: 36, description: 'Id of the statement.' }) };

export function statementRoutes(app: App, { portal: { db }, database, statementDrawer }: Service): void {
  const downloads = new RunningDownloads(
    'Two of your downloads are already running. Wait for one of them to finish.',
  );
  const operation = portalOperations(app, 'Statements');
  const file = portalFiles(app, 'Statements');

  /** Returns the memberships of the session's accounts, including claimed ones, whose statements the person may see. */
  const membershipsOf = (request: FastifyRequest, publisherId: string) =>
    membershipsOfAccounts(
      db,
      publisherId,
      accountsOf(request).map(({ accountId }) => accountId),
    );
  const find = async (request: FastifyRequest, publisherId: string, statementId: string) =>
    getStatement(db, publisherId, {
      statementId,
      membershipIds: await membershipsOf(request, publisherId),
      notFound: 'None of your statements has this id.',
    });

  operation(
    ['get', '/statements', 'listStatements'],
    {
      of: 'publisher',
      summary: 'List the creator’s monthly statements at a publisher',
      description:
        'A month is closed about an hour after its end (UTC). A month in which nothing was booked has no statement.',
      answer: statementList,
    },
    async (request) => {
      const publisherId = request.query.publisher;
      const { statements, areMore } = await listStatements(
        db,
        publisherId,
        await membershipsOf(request, publisherId),
      );
      return { rows: statements.map(toShownStatement), areMore };
    },
  );

  operation(
    ['get', '/statements/:statementId', 'getStatement'],
    {
      of: 'publisher',
      summary: 'Get a monthly statement',
      description: 'Its opening balance and the sums of its movements add up to its closing balance.',
      path: statementPath,
      answer: statement,
    },
    async (request) =>
      toShownStatement(await find(request, request.query.publisher, request.params.statementId)),
  );

  file(
    ['get', '/statements/:statementId/statement.csv', 'exportStatement'],
    {
      of: 'publisher',
      summary: 'Export the lines of a monthly statement as CSV',
      description:
        'The amounts from the opening balance to the last line add up to the closing balance. The file is always the same. It names neither the buyers nor their purchases; the publisher’s support finds a purchase by its reference.',
      path: statementPath,
      answer: {
        description:
          'The CSV file. If the export fails, the connection is closed early, so that clients detect the incomplete file.',
        content: { 'text/csv': { schema: Type.String() } },
      },
    },
    async (request, reply) => {
      const publisherId = request.query.publisher;
      const found = await find(request, publisherId, request.params.statementId);
      downloads.begin(sessionOf(request).userId, reply);
      return sendCsv(reply, `${statementFileName(found)}.csv`, (output) =>
        exportStatement(
          db,
          {
            statement: found,
            separately: (work) => asSeparateRequest(database, publisherId, work),
          },
          output,
        ),
      );
    },
  );

  file(
    ['get', '/statements/:statementId/statement.pdf', 'drawStatement'],
    {
      of: 'publisher',
      summary: 'Download a monthly statement as PDF',
      description: 'The file is always the same. It is not a tax invoice.',
      path: statementPath,
      answer: {
        description: 'The PDF file.',
        content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } },
      },
    },
    async (request, reply) => {
      const found = await find(request, request.query.publisher, request.params.statementId);
      downloads.begin(sessionOf(request).userId, reply);
      const pdf = await statementDrawer.draw(found);
      return reply
        .type('application/pdf')
        .header('content-disposition', attachmentOf(`${statementFileName(found)}.pdf`))
        .send(pdf);
    },
  );
}
