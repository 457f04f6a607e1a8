import { type Static, Type } from 'typebox';
import { type RequestSums, sumRequests } from '../../api-keys/counted/sum-requests.ts';
import { namesOfKeys } from '../../api-keys/list-keys.ts';
import { groupRefused } from '../../api-keys/refused/group-refused.ts';
import { getRefused, listRefused, type RefusedRequest } from '../../api-keys/refused/list-refused.ts';
import type { Service } from '../../composition.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { toKeyId } from '../../platform/ids.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { adminOperations } from '../admin-operations.ts';
import { requireFound } from '../require-found.ts';
import { nullable, pageOf, pageQuery, time } from '../schemas.ts';

const refusedRequest = Type.Object(
  {
    refusedId: Type.String(),
    at: time('When the request was rejected.'),
    keyId: Type.String({ description: 'Id of the API key that was sent, even if the key has been revoked.' }),
    keyName: nullable(Type.String({ description: 'Name of the API key.' })),
    method: Type.String(),
    route: Type.String({ description: 'Path of the operation, with its parameters as {names}.' }),
    status: Type.Integer(),
    code: Type.String(),
    message: Type.String({ description: 'Error message.' }),
    requestId: Type.String({ description: 'X-Request-Id of the response.' }),
    address: Type.String({ description: 'IP address of the client.' }),
    sentCode: nullable(
      Type.String({
        description:
          'Creator code in the request; for a list, the code in the rejected entry. At most 255 characters, with unprintable characters replaced. Null if no code was sent or read.',
      }),
    ),
    groupId: nullable(Type.String({ description: 'Creator group of the request; null if unknown.' })),
  },
  { title: 'RefusedRequest' },
);

const refusedGroup = Type.Object(
  {
    ...refusedRequest.properties,
    count: Type.Integer({
      description: 'Number of stored requests in this group. The other fields describe the latest request.',
    }),
    firstAt: time('When the first of these requests was rejected.'),
  },
  { title: 'RefusedGroup' },
);

const requestSum = Type.Object(
  {
    keyId: Type.String(),
    keyName: nullable(Type.String({ description: 'Name of the API key.' })),
    method: Type.String(),
    route: Type.String({ description: 'Path of the operation, with its parameters as {names}.' }),
    accepted: Type.Integer({ description: 'Number of requests with a status below 400.' }),
    rejected: Type.Integer({ description: 'Number of requests with a status of 400 or above.' }),
    errors: Type.Array(
      Type.Object(
        { status: Type.Integer(), code: Type.String(), count: Type.Integer() },
        { title: 'RequestError' },
      ),
      { description: 'Rejected requests by status and error code, most frequent first.' },
    ),
    lastAt: time('When the last of these requests was received, accurate to the minute.'),
  },
  { title: 'RequestSum' },
);

const filters = {
  keyId: Type.Optional(Type.String({ maxLength: 64 })),
  operation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 220,
      pattern: storable,
      description: 'Method and path of the operation: `POST /v1/attributions/transactions`.',
    }),
  ),
  code: Type.Optional(Type.String({ maxLength: 64, description: 'Error code.' })),
  sentCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: storable,
      description: 'Creator code. Case-insensitive.',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the time range.' })),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'End of the time range (exclusive).' }),
  ),
};

const requestQuery = Type.Object({
  ...pageQuery,
  ...filters,
  requestId: Type.Optional(Type.String({ maxLength: 64 })),
});

/**
 * Minimum number of stored counts for their sums to be cached. Each open screen requests the sums every three seconds, and
 * a publisher has up to 50,000 stored counts. Adding up 50,000 takes a second or more.
 */
const heavySums = 5_000;
const maxCachedSums = 100;

export function requestRoutes(app: App, service: Service, pages: Pages): void {
  const { clock, requestCounts } = service;
  const { db } = service.database;
  const { operation } = adminOperations(app, 'Developers');
  const sums = new AnswerCache<RequestSums>(heavySums, maxCachedSums);

  operation(
    ['get', '/publishers/:publisherId/requests', 'listRequests'],
    {
      may: 'keys',
      summary: 'List rejected requests from the last seven days, newest first',
      description:
        'Requests are sampled: the first twenty for each error code, then two per minute. The creator code is the only part of the body that is stored. API keys are never stored.',
      query: requestQuery.properties,
      answer: pageOf(refusedRequest, 'RefusedRequests'),
    },
    async ({ params: { publisherId }, query }) => {
      const { cursor = null, limit = 50 } = query;
      const page = await listRefused(db, pages, toFilter(publisherId, query), { cursor, size: limit });
      return { ...page, rows: await withNames(db, publisherId, page.rows) };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/requests/grouped', 'groupRequests'],
    {
      may: 'keys',
      summary: 'Group similar rejected requests from the last seven days',
      description:
        'Requests in a group have the same API key, operation, error, creator code and creator group. Returns at most 250 groups, starting with the group that has the latest request.',
      query: filters,
      answer: Type.Object({ rows: Type.Array(refusedGroup) }, { title: 'RefusedGroups' }),
    },
    async ({ params: { publisherId }, query }) => {
      const groups = await groupRefused(db, toFilter(publisherId, query));
      return { rows: await withNames(db, publisherId, groups) };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/requests/sums', 'sumRequests'],
    {
      may: 'keys',
      summary: 'Count requests by API key, operation and result',
      description:
        "Includes every request with one of the publisher's API keys, accepted or rejected. The service saves the counts every minute, so requests to other processes may be missing for up to a minute. Returns at most 250 counts, those with the most rejected requests first. If there are at least 5,000 stored counts, the response can be up to 30 seconds old.",
      query: {
        hours: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 168,
            description:
              'Length of the time range up to now. The range starts at the beginning of its first hour (UTC).',
          }),
        ),
      },
      answer: Type.Object(
        { from: time('Start of the time range.'), rows: Type.Array(requestSum) },
        { title: 'RequestSums' },
      ),
    },
    async ({ params: { publisherId }, query: { hours = 24 } }) => {
      await requestCounts.flushOf(publisherId);
      const { from, rows } = await sums.get([publisherId, hours], () =>
        sumRequests(db, publisherId, { hours, now: clock.now() }),
      );
      return { from, rows: await withNames(db, publisherId, rows) };
    },
  );

  operation(
    ['get', '/publishers/:publisherId/requests/:refusedId', 'getRequest'],
    {
      may: 'keys',
      summary: 'Get a rejected request',
      path: { refusedId: Type.String({ minLength: 1, maxLength: 64 }) },
      answer: refusedRequest,
    },
    async ({ params: { publisherId, refusedId } }) => {
      const found = await getRefused(db, publisherId, refusedId);
      const [named] = await withNames(db, publisherId, [found]);
      return requireFound(named, 'The request');
    },
  );
}

const toFilter = (
  publisherId: string,
  { keyId, operation, code, sentCode, requestId, from, until }: Partial<Static<typeof requestQuery>>,
) => ({
  publisherId,
  ...(keyId !== undefined && { keyId: toKeyId(keyId) }),
  operation,
  code,
  sentCode,
  requestId,
  from: optionalTime(from),
  until: optionalTime(until),
});

const optionalTime = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : readTimestamp(text);

async function withNames<Row extends Pick<RefusedRequest, 'keyId'>>(
  db: Db,
  publisherId: string,
  rows: readonly Row[],
) {
  const names = await namesOfKeys(
    db,
    publisherId,
    rows.map(({ keyId }) => keyId),
  );
  return rows.map((row) => ({ ...row, keyName: names.get(row.keyId) ?? null }));
}
