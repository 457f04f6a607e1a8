import { type Static, Type } from 'typebox';
import { namesOfKeys } from '../../api-keys/list-keys.ts';
import { groupRefused } from '../../api-keys/refused/group-refused.ts';
import { getRefused, listRefused, type RefusedRequest } from '../../api-keys/refused/list-refused.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { toKeyId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { AdminService } from '../admin-service.ts';
import { adminErrors, nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';

const refusedRequest = Type.Object(
  {
    refusedId: Type.String(),
    at: time('When it was answered.'),
    keyId: Type.String({ description: 'The key that was sent, whatever became of it.' }),
    keyName: nullable(Type.String({ description: 'What the key is called.' })),
    method: Type.String(),
    route: Type.String({ description: 'The operation’s path, with {names} for what differs.' }),
    status: Type.Integer(),
    code: Type.String(),
    message: Type.String({ description: 'As it was answered.' }),
    requestId: Type.String({ description: 'The answer’s X-Request-Id.' }),
    address: Type.String({ description: 'The client’s address.' }),
    sentCode: nullable(
      Type.String({
        description:
          'The creator’s code that was sent, of a list that of the entry that was refused; 255 characters at most, unprintable ones replaced. Null where none was sent or read.',
      }),
    ),
    groupId: nullable(
      Type.String({ description: 'The creator group it was sent for, where that was known.' }),
    ),
  },
  { title: 'RefusedRequest' },
);

const refusedGroup = Type.Object(
  {
    ...refusedRequest.properties,
    count: Type.Integer({
      description: 'Kept requests that are alike; the other fields are the latest one’s.',
    }),
    firstAt: time('When the first of them was answered.'),
  },
  { title: 'RefusedGroup' },
);

const which = {
  keyId: Type.Optional(Type.String({ maxLength: 64 })),
  code: Type.Optional(Type.String({ maxLength: 64, description: 'The error’s code.' })),
  sentCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: storable,
      description: 'The creator’s code, in any case.',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'From this moment on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
};

const requestQuery = Type.Object({
  ...pageQuery,
  ...which,
  requestId: Type.Optional(Type.String({ maxLength: 64 })),
});

/** Why requests were refused. */
export function requestRoutes(app: App, { database: { db } }: AdminService, pages: Pages): void {
  const tags = ['Developers'];
  const root = '/publishers/:publisherId/requests';

  app.get(
    root,
    {
      config: { staff: 'keys' },
      schema: {
        operationId: 'listRequests',
        summary: 'Refused requests of the last seven days, the newest first',
        description:
          'A sample: of each error code twenty at once, then two a minute. Of a body the creator’s code alone, never a key.',
        tags,
        params: publisherPath,
        querystring: requestQuery,
        response: { 200: pageOf(refusedRequest, 'RefusedRequests'), ...adminErrors },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const { cursor = null, limit = 50 } = query;
      const page = await listRefused(db, pages, toFilter(publisherId, query), { cursor, size: limit });
      return sendJson(reply, { ...page, rows: await withNames(db, publisherId, page.rows) });
    },
  );

  app.get(
    `${root}/grouped`,
    {
      config: { staff: 'keys' },
      schema: {
        operationId: 'groupRequests',
        summary: 'Refused requests of the last seven days, those that are alike together',
        description:
          'Alike: the key, the operation, the answer, the creator’s code and the group. The group with the latest request first, 250 at most.',
        tags,
        params: publisherPath,
        querystring: Type.Object(which),
        response: {
          200: Type.Object({ rows: Type.Array(refusedGroup) }, { title: 'RefusedGroups' }),
          ...adminErrors,
        },
      },
    },
    async ({ params: { publisherId }, query }, reply) => {
      const groups = await groupRefused(db, toFilter(publisherId, query));
      return sendJson(reply, { rows: await withNames(db, publisherId, groups) });
    },
  );

  app.get(
    `${root}/:refusedId`,
    {
      config: { staff: 'keys' },
      schema: {
        operationId: 'getRequest',
        summary: 'One refused request',
        tags,
        params: Type.Object({
          ...publisherPath.properties,
          refusedId: Type.String({ minLength: 1, maxLength: 64 }),
        }),
        response: { 200: refusedRequest, ...adminErrors },
      },
    },
    async ({ params: { publisherId, refusedId } }, reply) => {
      const found = await getRefused(db, publisherId, refusedId);
      const [named] = await withNames(db, publisherId, [found]);
      return sendJson(reply, named);
    },
  );
}

const toFilter = (
  publisherId: string,
  { keyId, code, sentCode, requestId, from, until }: Partial<Static<typeof requestQuery>>,
) => ({
  publisherId,
  ...(keyId !== undefined && { keyId: toKeyId(keyId) }),
  code,
  sentCode,
  requestId,
  from: maybeTime(from),
  until: maybeTime(until),
});

const maybeTime = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : readTimestamp(text);

async function withNames<Row extends RefusedRequest>(db: Db, publisherId: string, rows: readonly Row[]) {
  const names = await namesOfKeys(
    db,
    publisherId,
    rows.map(({ keyId }) => keyId),
  );
  return rows.map((row) => ({ ...row, keyName: names.get(row.keyId) ?? null }));
}
