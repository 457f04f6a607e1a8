import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../platform/database/database.ts';
import { RunningDownloads } from '../platform/http/answers/running-downloads.ts';
import { sendFile } from '../platform/http/answers/send-csv.ts';
import type { App } from '../platform/http/app-type.ts';
import { asSeparateRequest } from '../platform/http/as-separate-request.ts';
import { minor, nullable, time } from '../platform/http/schemas/fields.ts';
import { closed } from '../platform/inputs.ts';
import { confirmationMinutes, type OwnDataAction } from '../portal/confirmations.ts';
import type { Portal } from '../portal/create-portal.ts';
import {
  allowDownload,
  type ConfirmingSession,
  checkErasureCode,
  createOwnDataCode,
  requireDownloadAllowed,
} from '../portal/own-data.ts';
import { erasureRequestedMail, ownDataMail } from '../portal/portal-mails.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { writeAccessFile } from '../privacy/access/write-access-file.ts';
import {
  readErasureRequest,
  readOpenMoneyOf,
  requestErasure,
  withdrawalDays,
  withdrawErasure,
} from '../privacy/requests/erasure-requests.ts';
import { sourceOf } from './browser-of.ts';
import { portalFiles } from './portal-files.ts';
import { portalOperations } from './portal-operations.ts';
import { publisherOfCreator, requestedCode, typedCode } from './schemas.ts';

const accessFile = Type.Object(
  {
    createdAt: time('When the file was created.'),
    about: Type.String({ description: 'Explanation of the file.' }),
    leftOut: Type.Array(Type.String(), { description: 'What the file leaves out, and why.' }),
    tables: Type.Array(
      Type.Object({
        table: Type.String({ description: 'Table of the database.' }),
        publisherId: Type.Optional(Type.String()),
        publisher: Type.Optional(Type.String({ description: 'Name of the publisher.' })),
        accountId: Type.Optional(Type.String()),
        membershipId: Type.Optional(Type.String()),
        rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      }),
      { description: 'Tables with rows about the person, for each account, publisher and membership.' },
    ),
  },
  { title: 'AccessFile' },
);

const erasureRequest = Type.Object(
  {
    requestedAt: time('When the erasure was requested.'),
    dueAt: time('When the erasure starts, if no money is open. The request can be withdrawn until then.'),
    hasStarted: Type.Boolean({ description: 'True once the request can no longer be withdrawn.' }),
  },
  { title: 'ErasureRequest' },
);
const erasure = Type.Object(
  {
    request: nullable(erasureRequest),
    withdrawalDays: Type.Integer({ description: 'Days between a request and the erasure.' }),
    openMoney: Type.Array(
      Type.Object(
        {
          publisher: publisherOfCreator,
          owed: Type.Array(
            Type.Object({
              currency: Type.String(),
              amountMinor: minor('Amount; negative if the creator owes the publisher money.'),
            }),
          ),
          isOnItsWay: Type.Boolean({
            description: 'True if purchases are still arriving, or a payout is on its way.',
          }),
        },
        { title: 'OpenMoneyAtPublisher' },
      ),
      { description: 'Money that the erasure waits for, by publisher.' },
    ),
  },
  { title: 'Erasure' },
);

export function yourDataRoutes(app: App, portal: Portal, database: Pick<Database, 'forPublisher'>): void {
  const { db, clock, limits, log } = portal;
  const operation = portalOperations(app, 'Your data');
  const file = portalFiles(app, 'Your data');
  const downloads = new RunningDownloads('Your data is already being downloaded. Wait for it to finish.');
  const read = async (userId: string) => ({
    request: await readErasureRequest(db, userId),
    withdrawalDays,
    openMoney: await readOpenMoneyOf(db, userId),
  });

  operation(
    ['post', '/access-file/codes', 'requestAccessFileCode'],
    {
      of: 'signed-in',
      summary: 'Request the emailed code for the download of the signed-in person’s data',
      description: `The code expires after ${confirmationMinutes} minutes, and works once, in this session.`,
      body: Type.Object({}, closed),
      answer: requestedCode,
    },
    (request) => sendCode(portal, request, 'download'),
  );

  operation(
    ['post', '/access-file/codes/enter', 'enterAccessFileCode'],
    {
      of: 'signed-in',
      summary: 'Allow the download of the signed-in person’s data with an emailed code',
      description: `This session can then download the file for ${confirmationMinutes} minutes.`,
      body: Type.Object({ code: typedCode }, { ...closed, title: 'ConfirmedDownload' }),
      answer: Type.Object(
        { until: time('When the session can no longer download the file.') },
        { title: 'AllowedDownload' },
      ),
    },
    async (request) => {
      limits.countAttempt(request.ip);
      return { until: await allowDownload(db, await confirmingSession(portal, request), request.body.code) };
    },
  );

  file(
    ['get', '/access-file', 'downloadAccessFile'],
    {
      of: 'signed-in',
      summary: 'Download what is stored about the signed-in person',
      description:
        'The file contains the sign-in and all creator accounts of the person, at all publishers. It contains no secrets and no data of other people. It needs an emailed code, which this session must have entered in the last minutes. A person can download it six times an hour.',
      answer: {
        description:
          'The JSON file. If the download fails, the connection is closed early, so that clients detect the incomplete file.',
        content: { 'application/json': { schema: accessFile } },
      },
    },
    async (request, reply) => {
      const { userId } = sessionOf(request);
      await requireDownloadAllowed(db, await confirmingSession(portal, request));
      limits.countFile(userId);
      downloads.begin(userId, reply);
      const now = clock.now();
      const fileName = `your-data-${now.toISOString().slice(0, 10)}.json`;
      return sendFile(reply, { fileName, type: 'application/json; charset=utf-8' }, (output) =>
        writeAccessFile(
          db,
          {
            ...{ userId, now },
            separately: (publisherId, work) => asSeparateRequest(database, publisherId, work),
          },
          output,
        ),
      );
    },
  );

  operation(
    ['get', '/erasure', 'getErasure'],
    {
      of: 'signed-in',
      summary: 'Get the request to erase the signed-in person’s data, and the money that it waits for',
      description: 'An erasure starts at its time, once no money is open at any publisher.',
      answer: erasure,
    },
    (request) => read(sessionOf(request).userId),
  );

  operation(
    ['post', '/erasure/codes', 'requestErasureCode'],
    {
      of: 'signed-in',
      summary: 'Request the emailed code that requests the erasure of the signed-in person’s data',
      description: 'Works like the code for the download.',
      body: Type.Object({}, closed),
      answer: requestedCode,
    },
    (request) => sendCode(portal, request, 'erase'),
  );

  operation(
    ['post', '/erasure', 'requestErasure'],
    {
      of: 'signed-in',
      summary: 'Request the erasure of the signed-in person’s data with an emailed code',
      description:
        'The erasure covers all creator accounts of the person, at all publishers, and the sign-in. It starts 14 days later, or once no money is open. An email tells the person. A second request changes nothing.',
      body: Type.Object({ code: typedCode }, { ...closed, title: 'ConfirmedErasure' }),
      answer: erasure,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const { userId, email } = sessionOf(request);
      const session = await confirmingSession(portal, request);
      const useUpCode = await checkErasureCode(db, session, request.body.code);
      const requester = { userId, now: session.now, source: sourceOf(request) };
      const asked = await requestErasure(db, requester, useUpCode);
      if (asked.isNew) {
        const mail = erasureRequestedMail(email, portal.url ?? '', asked.request.dueAt);
        if (!(await portal.sendMail(mail))) log.warn("couldn't send the email about a request to erase data");
      }
      return read(userId);
    },
  );

  operation(
    ['delete', '/erasure', 'withdrawErasure'],
    {
      of: 'signed-in',
      summary: 'Withdraw the request to erase the signed-in person’s data',
      description: 'Returns 409 once the erasure has started. Without a request, nothing changes.',
      answer: erasure,
    },
    async (request) => {
      const { userId } = sessionOf(request);
      await withdrawErasure(db, { userId, source: sourceOf(request) });
      return read(userId);
    },
  );
}

async function confirmingSession(portal: Portal, request: FastifyRequest): Promise<ConfirmingSession> {
  const { sessionId } = sessionOf(request);
  return { sessionId, secret: await portal.readSecret(), now: portal.clock.now() };
}

/** Emails a code to the person's verified address. */
async function sendCode(
  portal: Portal,
  request: FastifyRequest,
  action: OwnDataAction,
): Promise<{ email: string }> {
  const { userId, email } = sessionOf(request);
  portal.limits.countConfirmation(userId);
  const code = await createOwnDataCode(portal.db, await confirmingSession(portal, request), action);
  // Not awaited: the mail server may take seconds.
  void portal
    .sendMail(ownDataMail(email, action, code))
    .catch((error: unknown) => portal.log.error({ err: error }, "couldn't send a code"));
  portal.deleteExpired();
  return { email };
}
