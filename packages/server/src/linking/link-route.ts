import { Type } from 'typebox';
import { playerId } from '../members/player-id.ts';
import { checkPlayerMetadata, playerMetadata } from '../members/player-metadata.ts';
import { memberFields } from '../members/read/member-record.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { sendJson } from '../platform/http/answers/error-answers.ts';
import type { App } from '../platform/http/app-type.ts';
import {
  bodyErrors,
  errorBody,
  groupId,
  secretErrors,
  storable,
  text,
} from '../platform/http/schemas/schemas.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { LinkAccount } from './link-account.ts';
import { LinkAttempts } from './link-attempts.ts';

export interface LinkDeps {
  db: Db;
  clock: Clock;
  metrics: Metrics;
  authCodeSecret: Buffer;
  linkAccount: LinkAccount;
  /** Links that may fail a minute, per key. */
  linkMissesPerMinute: number;
  /** The same, per key and playerId. */
  linkMissesPerMinutePerPlayer: number;
}

const displayName = Type.Optional(text(255, 'The known property of playerMetadata.'));
const linkBody = Type.Object(
  {
    playerId,
    authCode: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: storable,
      description: 'As the creator typed it.',
    }),
    displayName,
    'playerMetadata[displayName]': displayName,
    playerMetadata: Type.Optional(playerMetadata),
  },
  { title: 'LinkRequest', description: 'Whose account to link to which player.' },
);
/** The contract's link shape: these five and no more. */
const linkedMember = Type.Object(
  {
    groupId: memberFields.groupId,
    groupName: memberFields.groupName,
    id: memberFields.id,
    playerId: memberFields.playerId,
    codes: memberFields.codes,
  },
  { title: 'LinkedMember', description: 'The member that a link made or found.' },
);

export function linkMemberRoute(app: App, deps: LinkDeps): void {
  const { db, clock, metrics, authCodeSecret, linkAccount } = deps;
  const ofKey = new LinkAttempts(deps.linkMissesPerMinute, 'Too many links failed with this key.', clock);
  const ofPlayer = new LinkAttempts(
    deps.linkMissesPerMinutePerPlayer,
    'Too many links of this playerId failed.',
    clock,
  );

  app.post(
    '/v1/manage/members/link',
    {
      config: { key: 'secret', group: 'as read' },
      // Before the group is resolved, as all of InvalidInput.
      preValidation: async ({ body }) => checkMetadataOf(body),
      schema: {
        operationId: 'linkMember',
        summary: 'Link an account to a player',
        description:
          'Links the account behind an auth code to a playerId, and uses the code up. It claims the unclaimed managed member of that player, with codes, history and money; else the account must be a member of the group. A link that fails leaves the code usable.',
        tags: ['Linking'],
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        querystring: Type.Object({ groupId }),
        body: linkBody,
        response: {
          200: linkedMember,
          400: errorBody(
            'In this order: InvalidInput, InvalidGroup, InvalidAuthCode, ExpiredAuthCode, AccountNotFound, PlayerAlreadyLinked, MemberAlreadyLinked; InvalidAuthCode too when there is nothing to link.',
          ),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async (request, reply) => {
      const { playerId, authCode, playerMetadata = null, ...names } = request.body;
      const { actor, group } = request;
      const { publisherId, keyId } = request.principal;
      // An empty field of a form is one that was not filled in.
      const displayName = names.displayName || names['playerMetadata[displayName]'] || null;
      const player = { publisherId, group, playerId, playerMetadata, displayName };
      const tryLink = () => linkAccount(db, actor, { ...player, authCode, authCodeSecret, now: clock.now() });
      // The player's allowance first, so that what one player tries is not at the cost of all.
      const member = await ofPlayer
        .attempt(`${keyId} ${playerId}`, () => ofKey.attempt(keyId, tryLink))
        .catch((error) => {
          count(metrics, error);
          throw error;
        });
      return sendJson(reply, {
        groupId: member.groupId,
        groupName: member.groupName,
        id: member.id,
        playerId: member.playerId,
        codes: member.codes,
      });
    },
  );
}

/** @param body not validated yet: what is no metadata at all is refused by the schema */
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
