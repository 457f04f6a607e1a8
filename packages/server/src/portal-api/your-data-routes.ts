import { Type } from 'typebox';
import type { Database } from '../platform/database/database.ts';
import { RunningDownloads } from '../platform/http/answers/running-downloads.ts';
import { sendFile } from '../platform/http/answers/send-csv.ts';
import type { App } from '../platform/http/app-type.ts';
import { asSeparateRequest } from '../platform/http/as-separate-request.ts';
import { minor, nullable, time } from '../platform/http/schemas/fields.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { erasureRequestedMail } from '../portal/portal-mails.ts';
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
import { publisherOfCreator } from './schemas.ts';

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

  file(
    ['get', '/access-file', 'downloadAccessFile'],
    {
      of: 'signed-in',
      summary: 'Download what is stored about the signed-in person',
      description:
        'The file contains the sign-in and all creator accounts of the person, at all publishers. It contains no secrets and no data of other people. A person can download it six times an hour.',
      answer: {
        description:
          'The JSON file. If the download fails, the connection is closed early, so that clients detect the incomplete file.',
        content: { 'application/json': { schema: accessFile } },
      },
    },
    async (request, reply) => {
      const { userId } = sessionOf(request);
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
    ['post', '/erasure', 'requestErasure'],
    {
      of: 'signed-in',
      summary: 'Request the erasure of the signed-in person’s data',
      description:
        'The erasure covers all creator accounts of the person, at all publishers, and the sign-in. It starts 14 days later, or once no money is open. An email tells the person. A second request changes nothing.',
      body: Type.Object({}, closed),
      answer: erasure,
    },
    async (request) => {
      const { userId, email } = sessionOf(request);
      const asked = await requestErasure(db, { userId, now: clock.now(), source: sourceOf(request) });
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
