import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordExport } from '../../audit/record-export.ts';
import type { Service } from '../../composition.ts';
import { membershipsOfAccounts } from '../../members/read/memberships-of-accounts.ts';
import { attachmentOf } from '../../platform/http/answers/attachment.ts';
import { sendCsv } from '../../platform/http/answers/send-csv.ts';
import type { App } from '../../platform/http/app-type.ts';
import { asSeparateRequest } from '../../platform/http/as-separate-request.ts';
import { toAccountId } from '../../platform/ids.ts';
import { getStatement, listStatements } from '../../settlement/statements/read-statements.ts';
import { type Statement, statementFileName } from '../../settlement/statements/statement.ts';
import { exportStatement } from '../../settlement/statements/statement-csv.ts';
import { statementList, toShownStatement } from '../../settlement/statements/statement-schemas.ts';
import { adminOperations } from '../admin-operations.ts';
import { csvAnswer, exportFileName } from '../payouts/csv-answer.ts';
import type { Exports } from '../running-exports.ts';
import { groupQuery } from '../schemas.ts';
import { memberPath } from './member-schemas.ts';

const { memberId } = memberPath.properties;
const statementPath = {
  memberId,
  statementId: Type.String({ maxLength: 36, description: 'Id of the statement.' }),
};

interface StatementPath {
  publisherId: string;
  memberId: string;
  statementId: string;
}

/** Registers the routes by which staff read the monthly statements that a creator sees in the portal. */
export function statementRoutes(app: App, { database, statementDrawer }: Service, exports: Exports): void {
  const { db } = database;
  const { operation, rawOperation } = adminOperations(app, 'Creators');
  const membershipsOf = (publisherId: string, memberId: string) =>
    membershipsOfAccounts(db, publisherId, [toAccountId(memberId)]);

  operation(
    ['get', '/publishers/:publisherId/members/:memberId/statements', 'listStatementsOfCreator'],
    {
      may: 'read',
      summary: 'List a creator’s monthly statements',
      description:
        'Includes those of memberships that were merged into the creator’s. A month in which nothing was booked has no statement.',
      path: { memberId },
      query: groupQuery,
      answer: statementList,
    },
    async ({ params: { publisherId, memberId }, query: { group = null } }) => {
      const memberships = await membershipsOf(publisherId, memberId);
      const { statements, areMore } = await listStatements(db, publisherId, memberships, group);
      return { rows: statements.map(toShownStatement), areMore };
    },
  );

  /** Finds the statement, counts the download, and writes its audit entry. */
  const begin = async (
    request: FastifyRequest & { params: StatementPath },
    reply: FastifyReply,
    file: 'csv' | 'pdf',
  ): Promise<{ found: Statement; fileName: string }> => {
    const { publisherId, memberId, statementId } = request.params;
    const found = await getStatement(db, publisherId, {
      statementId,
      membershipIds: await membershipsOf(publisherId, memberId),
      notFound: 'None of this creator’s statements has this id.',
    });
    exports.begin(request, reply);
    const { month, groupId, currency } = found;
    await recordExport(db, request.actor, {
      publisherId,
      action: 'statement.export',
      target: `member:${memberId}`,
      after: { statementId, month, groupId, currency, file },
    });
    return { found, fileName: exportFileName(request, `${statementFileName(found)}.${file}`) };
  };

  rawOperation(
    [
      'get',
      '/publishers/:publisherId/members/:memberId/statements/:statementId/statement.csv',
      'exportStatementOfCreator',
    ],
    {
      may: 'export',
      summary: 'Export the lines of a creator’s monthly statement as CSV',
      description: 'The file that the creator can download in the portal.',
      path: statementPath,
      answers: { 200: csvAnswer },
    },
    async (request, reply) => {
      const { found, fileName } = await begin(request, reply, 'csv');
      return sendCsv(reply, fileName, (output) =>
        exportStatement(
          db,
          {
            statement: found,
            separately: (work) => asSeparateRequest(database, found.publisherId, work),
          },
          output,
        ),
      );
    },
  );

  rawOperation(
    [
      'get',
      '/publishers/:publisherId/members/:memberId/statements/:statementId/statement.pdf',
      'drawStatementOfCreator',
    ],
    {
      may: 'export',
      summary: 'Download a creator’s monthly statement as PDF',
      description: 'The file that the creator can download in the portal. It is not a tax invoice.',
      path: statementPath,
      answers: {
        200: {
          description: 'The PDF file.',
          content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } },
        },
      },
    },
    async (request, reply) => {
      const { found, fileName } = await begin(request, reply, 'pdf');
      const pdf = await statementDrawer.draw(found);
      return reply
        .type('application/pdf')
        .header('content-disposition', attachmentOf(fileName))
        .header('cache-control', 'no-store')
        .send(pdf);
    },
  );
}
