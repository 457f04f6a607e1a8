import { Type } from 'typebox';
import { playerId } from '../members/player-id.ts';
import { checkPlayerMetadata, playerMetadata } from '../members/player-metadata.ts';
import { memberFields } from '../members/read/member-record.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import {
  bodyErrors,
  errorBody,
  groupId,
  secretErrors,
  storable,
  text,
} from '../platform/http/schemas/schemas.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { LinkAccount } from './link-account.ts';
import { LinkAttempts } from './link-attempts.ts';

export interface LinkDeps {
  db: Db;
  clock: Clock;
  metrics: Metrics;
  authCodeSecret: Buffer;
  sealer: Sealer;
  linkAccount: LinkAccount;
  /** Maximum number of failed links per minute for each key. */
  linkMissesPerMinute: number;
  /** Maximum number of failed links per minute for each key and playerId. */
  linkMissesPerMinutePerPlayer: number;
}

const displayName = Type.Optional(
  text(255, 'Display name of the member. Same as displayName in playerMetadata.'),
);
const linkBody = Type.Object(
  {
    playerId,
    authCode: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: storable,
      description: 'Auth code, as the creator typed it.',
    }),
    displayName,
    'playerMetadata[displayName]': displayName,
    playerMetadata: Type.Optional(playerMetadata),
  },
  {
    title: 'LinkRequest',
    description: 'The auth code of the account to link, and the player to link it to.',
  },
);
/** Response required by the contract. It has only these five fields. */
const linkedMember = Type.Object(
  {
    groupId: memberFields.groupId,
    groupName: memberFields.groupName,
    id: memberFields.id,
    playerId: memberFields.playerId,
    codes: memberFields.codes,
  },
  { title: 'LinkedMember', description: 'The linked member.' },
);

export function linkMemberRoute(app: App, deps: LinkDeps): void {
  const { db, clock, metrics, authCodeSecret, sealer, linkAccount } = deps;
  const attemptsByKey = new LinkAttempts(
    deps.linkMissesPerMinute,
    'Too many failed attempts to link with this key. Try again later.',
    clock,
  );
  const attemptsByPlayer = new LinkAttempts(
    deps.linkMissesPerMinutePerPlayer,
    'Too many failed attempts to link this playerId. Try again later.',
    clock,
  );

  operation(
    app,
    ['post', '/v1/manage/members/link', 'linkMember'],
    {
      config: { key: 'secret', group: 'as read' },
      // Runs before the group is resolved, like all checks that throw InvalidInput.
      preValidation: async ({ body }) => checkMetadataOf(body),
      summary: 'Link an account to a player',
      description:
        'Links the account behind an auth code to a playerId, and uses up the code. If the playerId belongs to an unclaimed managed member, the account claims that member with its codes, history and money. Otherwise, the account must already be a member of the group. If linking fails, the code stays valid.',
      tags: ['Linking'],
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      query: { groupId },
      body: linkBody,
      answer: linkedMember,
      errors: {
        400: errorBody(
          'Errors are checked in this order: InvalidInput, InvalidGroup, InvalidAuthCode, ExpiredAuthCode, AccountNotFound, PlayerAlreadyLinked, MemberAlreadyLinked, and finally InvalidAuthCode if there is nothing to link.',
        ),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { playerId, authCode, playerMetadata = null, ...names } = request.body;
      const { actor, group } = request;
      const { publisherId, keyId } = request.principal;
      // An empty form field counts as absent.
      const displayName = names.displayName || names['playerMetadata[displayName]'] || null;
      const player = { publisherId, group, playerId, playerMetadata, displayName };
      const tryLink = () =>
        linkAccount(db, actor, { ...player, authCode, authCodeSecret, sealer, now: clock.now() });
      // The player's limit is checked first, so that one player's attempts don't use up the key's limit.
      const member = await attemptsByPlayer
        .attempt(`${keyId} ${playerId}`, () => attemptsByKey.attempt(keyId, tryLink))
        .catch((error) => {
          count(metrics, error);
          throw error;
        });
      return {
        groupId: member.groupId,
        groupName: member.groupName,
        id: member.id,
        ...(member.playerId !== undefined && { playerId: member.playerId }),
        codes: member.codes,
      };
    },
  );
}

/** Checks a body's metadata before validation. The schema rejects metadata that isn't an object. */
function checkMetadataOf(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('playerMetadata' in body)) return;
  const metadata = body.playerMetadata;
  if (typeof metadata === 'object' && metadata !== null) checkPlayerMetadata(metadata);
}

function count(metrics: Metrics, error: unknown): void {
  if (!(error instanceof Refusal)) return;
  if (error.code === 'RateLimited') metrics.refusedRequests.inc({ reason: 'link_misses' });
  else metrics.failedLinks.inc({ code: error.code });
}
