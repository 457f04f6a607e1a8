import { type Static, Type } from 'typebox';
import { namesOfKeys } from '../../api-keys/list-keys.ts';
import { getRefused, listRefused, type RefusedRequest } from '../../api-keys/refused/list-refused.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
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
  },
  { title: 'RefusedRequest' },
);

const requestQuery = Type.Object({
  ...pageQuery,
  keyId: Type.Optional(Type.String({ maxLength: 64 })),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  requestId: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'From this moment on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
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
          'A sample: of each error code twenty at once, then two a minute. Never a body, never a key.',
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
  { keyId, code, requestId, from, until }: Static<typeof requestQuery>,
) => ({
  publisherId,
  ...(keyId !== undefined && { keyId: toKeyId(keyId) }),
  code,
  requestId,
  from: maybeTime(from),
  until: maybeTime(until),
});

const maybeTime = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : readTimestamp(text);

async function withNames(db: Db, publisherId: string, rows: readonly RefusedRequest[]) {
  const names = await namesOfKeys(
    db,
    publisherId,
    rows.map(({ keyId }) => keyId),
  );
  return rows.map((row) => ({ ...row, keyName: names.get(row.keyId) ?? null }));
}
