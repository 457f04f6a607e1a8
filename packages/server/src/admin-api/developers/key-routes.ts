import { Type } from 'typebox';
import { changeKey } from '../../api-keys/change-key.ts';
import { createKey } from '../../api-keys/create-key.ts';
import { readIgnored } from '../../api-keys/ignored/read-ignored.ts';
import type { KeyKind } from '../../api-keys/key-format.ts';
import { type ListedKey, pageOfKeys } from '../../api-keys/list-keys.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { maxOverlapHours, rotateKey } from '../../api-keys/rotate-key.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { toKeyId } from '../../platform/ids.ts';
import { inputName } from '../../platform/inputs.ts';
import type { Pages } from '../../platform/page.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, pageOf, pageQuery, publisherPath, time } from '../schemas.ts';

const kind = Type.String({
  enum: ['secret', 'public'],
  description: 'secret for back ends, public for clients.',
});

const apiKey = Type.Object(
  {
    keyId: Type.String(),
    name: Type.String(),
    kind,
    groupId: nullable(
      Type.String({ description: 'Creator group that the key is limited to; null for all groups.' }),
    ),
    hint: nullable(Type.String({ description: 'Last four characters of the key.' })),
    state: Type.String({ enum: ['active', 'expired', 'revoked'] }),
    createdAt: time('When the key was created.'),
    createdBy: nullable(Type.String({ description: 'Name of the actor who created the key.' })),
    lastUsedAt: nullable(time('When the key was last used, accurate to about a minute.')),
    expiresAt: nullable(time('When the key expires. Later requests with the key are rejected.')),
    revokedAt: nullable(time('When the key was revoked.')),
    strict: Type.Boolean({
      description: 'If true, requests with unknown properties or parameters are rejected.',
    }),
    ignored: Type.Array(
      Type.Object(
        {
          operation: Type.String({ description: 'operationId of the operation.' }),
          name: Type.String({ description: 'Path of the property, or name of the query parameter.' }),
          times: Type.Integer({ description: 'Number of requests that sent this property or parameter.' }),
          lastAt: time('When this property or parameter was last sent, accurate to about a minute.'),
        },
        { title: 'IgnoredName' },
      ),
      {
        description: 'The latest ten unknown properties and parameters that operations ignored.',
      },
    ),
  },
  { title: 'ApiKey' },
);

const newKey = Type.Object(
  {
    name: inputName,
    kind,
    groupId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false, title: 'NewApiKey' },
);

const shownKey = Type.Object(
  {
    keyId: Type.String(),
    name: Type.String(),
    key: Type.String({ description: 'The API key, shown only once.' }),
  },
  { title: 'ShownApiKey' },
);

const keyPath = Type.Object({
  ...publisherPath.properties,
  keyId: Type.String({ minLength: 1, maxLength: 64 }),
});

export function keyRoutes(app: App, { database: { db }, clock }: Service, pages: Pages): void {
  const { operation } = adminOperations(app, 'Developers');

  operation(
    ['get', '/publishers/:publisherId/keys', 'listKeys'],
    {
      may: 'keys',
      summary: 'List API keys, newest first',
      query: pageQuery,
      answer: pageOf(apiKey, 'ApiKeys'),
    },
    async ({ params: { publisherId }, query: { cursor = null, limit = 50 } }) => {
      const page = await pageOfKeys(db, pages, publisherId, { cursor, size: limit });
      const now = clock.now();
      const ignored = await readIgnored(
        db,
        publisherId,
        page.rows.map(({ keyId }) => keyId),
      );
      return {
        ...page,
        rows: page.rows.map((key) => ({
          ...key,
          state: stateOf(key, now),
          ignored: ignored.get(key.keyId) ?? [],
        })),
      };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/keys', 'createKey'],
    {
      may: 'keys',
      fresh: true,
      summary: 'Create an API key, which is shown only once',
      body: newKey,
      answer: shownKey,
    },
    async ({ params: { publisherId }, body, actor }, reply) => {
      const input = {
        publisherId,
        name: body.name,
        kind: body.kind as KeyKind,
        group: body.groupId ?? null,
        expiresAt: body.expiresAt === undefined ? null : readTimestamp(body.expiresAt),
      };
      const { keyId, key } = await createKey(db, actor, input, clock.now());
      reply.header('cache-control', 'no-store');
      return { keyId, name: body.name, key };
    },
  );

  operation(
    ['patch', '/publishers/:publisherId/keys/:keyId', 'changeKey'],
    {
      may: 'keys',
      summary: 'Make an API key strict or tolerant',
      path: keyPath.properties,
      body: Type.Object(
        {
          strict: Type.Boolean({
            description: 'If true, requests with unknown properties or parameters are rejected.',
          }),
        },
        { additionalProperties: false, title: 'KeyChange' },
      ),
      answer: Type.Object({ strict: Type.Boolean() }, { title: 'ChangedApiKey' }),
    },
    async ({ params: { publisherId, keyId }, body, actor }) => {
      await changeKey(db, actor, { publisherId, keyId: toKeyId(keyId), isStrict: body.strict });
      return { strict: body.strict };
    },
  );

  operation(
    ['post', '/publishers/:publisherId/keys/:keyId/rotate', 'rotateKey'],
    {
      may: 'keys',
      fresh: true,
      summary: 'Replace an API key; the old key keeps working for a while',
      path: keyPath.properties,
      body: Type.Object(
        {
          overlapHours: Type.Integer({
            minimum: 1,
            maximum: maxOverlapHours,
            description: 'Hours during which both keys work.',
          }),
        },
        { additionalProperties: false, title: 'KeyRotation' },
      ),
      answer: Type.Object(
        { ...shownKey.properties, oldExpiresAt: time('When the old key expires.') },
        { title: 'RotatedApiKey' },
      ),
    },
    async ({ params: { publisherId, keyId }, body, actor }, reply) => {
      const input = { publisherId, keyId: toKeyId(keyId), overlapMs: body.overlapHours * 3_600_000 };
      const rotated = await rotateKey(db, actor, input, clock.now());
      reply.header('cache-control', 'no-store');
      return rotated;
    },
  );

  operation(
    ['post', '/publishers/:publisherId/keys/:keyId/revoke', 'revokeKey'],
    {
      may: 'keys',
      fresh: true,
      summary: 'Revoke an API key; every process rejects it within five seconds',
      path: keyPath.properties,
      answer: Type.Object({ revoked: Type.Literal(true) }, { title: 'RevokedApiKey' }),
    },
    async ({ params: { publisherId, keyId }, actor }) => {
      await revokeKey(db, actor, { publisherId, keyId: toKeyId(keyId) }, clock.now());
      return { revoked: true as const };
    },
  );
}

const stateOf = ({ revokedAt, expiresAt }: ListedKey, now: Date): string =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
