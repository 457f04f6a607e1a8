import { type Static, Type } from 'typebox';
import type { LookUpMisses } from '../api-keys/look-up-misses.ts';
import { playerId } from '../members/player-id.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation } from '../platform/http/operation.ts';
import {
  bodyErrors,
  errorBody,
  groupId,
  secretErrors,
  text,
  timestamp,
} from '../platform/http/schemas/schemas.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { type Programs, requireProgram } from '../publishers/programs.ts';
import { nowAt } from '../publishers/publisher-time.ts';
import { attachCode, endPlayerCode } from './attach-code.ts';
import { findPlayerCode, noPlayerCode, type PlayerCode } from './player-code.ts';

export interface PlayerCodeDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
  misses: LookUpMisses;
}

const url = '/v1/attributions/players/:playerId/code';
const tags = ['Players’ codes'];

const playerCode = Type.Object(
  {
    groupId: Type.String(),
    playerId: Type.String(),
    code: Type.String({
      description:
        'Code that credits the creator now: the entered one in the response to it, the primary one later.',
    }),
    memberId: Type.String({ description: "The creator's account id." }),
    attachedAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'First time at which the code is no longer in force: `codeTTLInDays` after `attachedAt`.',
    }),
  },
  { title: 'PlayerCode', description: 'Code that a player uses for purchases in a creator group.' },
);

/** Registers the routes for the code that a player supports a creator with. */
export function playerCodeRoutes(app: App, { db, clock, programs, misses }: PlayerCodeDeps): void {
  operation(
    app,
    ['put', url, 'attachPlayerCode'],
    {
      config: {
        key: 'secret',
        group: 'as read',
        sentCode: ({ body }) => (body as { code?: unknown } | undefined)?.code ?? null,
      },
      summary: 'Attach a code to a player',
      description:
        'From then on, it is the code of the player’s purchases that are created with `code: "@player"`. It is in force for the group’s `codeTTLInDays`, or until another one replaces it. The same code again renews it. Later changes of `codeTTLInDays` don’t affect it.',
      tags,
      path: { playerId },
      query: { groupId },
      body: Type.Object(
        {
          code: text(255, 'Code as the player entered it, in any case.'),
          at: Type.Optional(timestamp('Time at which the player entered the code; now if it is not sent.')),
        },
        { title: 'CodeToAttach' },
      ),
      answer: playerCode,
      errors: {
        400: errorBody(
          'InvalidInput, InvalidGroup, or CodeNotInGroup: the code credits no one in the group.',
        ),
        409: errorBody('Conflict: it is the player’s own code.'),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const program = await requireProgram(programs, publisherId);
      const group = program.groups.get(request.group.groupId) ?? request.group;
      const now = await nowAt(db, clock, publisherId);
      const { code, at } = request.body;
      const { playerId } = request.params;
      return misses.limit(request, async () =>
        toAnswer(
          await attachCode(db, { program, group, playerId, code, at: timeOf(at) ?? wholeSecond(now), now }),
        ),
      );
    },
  );

  operation(
    app,
    ['get', url, 'getPlayerCode'],
    {
      config: { key: 'secret', group: 'as read' },
      summary: "Get a player's code",
      description:
        'Returns the code that was in force at a time. A code whose creator isn’t approved at the moment is not in force.',
      tags,
      path: { playerId },
      query: {
        groupId,
        at: Type.Optional(timestamp('Time of the purchase; now if it is not sent.')),
      },
      answer: playerCode,
      errors: {
        400: errorBody('InvalidInput or InvalidGroup.'),
        404: errorBody('NotFound: the player had no code then.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { groupId } = request.group;
      const { playerId } = request.params;
      const at = timeOf(request.query.at) ?? (await nowAt(db, clock, publisherId));
      const found = await findPlayerCode(db, { publisherId, groupId, playerId }, at);
      if (found === null) throw noPlayerCode();
      return toAnswer(found);
    },
  );

  operation(
    app,
    ['delete', url, 'endPlayerCode'],
    {
      config: { key: 'secret', group: 'as read' },
      summary: "End a player's code",
      description: 'From then on, the player has no code. Without a code, nothing changes.',
      tags,
      path: { playerId },
      query: { groupId },
      answer: Type.Object(
        { groupId: Type.String(), playerId: Type.String() },
        { title: 'EndedPlayerCode', description: 'Player who has no code from now on.' },
      ),
      errors: { 400: errorBody('InvalidInput or InvalidGroup.'), ...secretErrors },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { groupId } = request.group;
      const { playerId } = request.params;
      const now = wholeSecond(await nowAt(db, clock, publisherId));
      await endPlayerCode(db, { publisherId, groupId, playerId }, now);
      return { groupId, playerId };
    },
  );
}

/** Returns the time of a timestamp that has passed its schema. */
function timeOf(sent: string | undefined): Date | null {
  const ms = sent === undefined ? null : parseTimestamp(sent);
  return ms === null ? null : new Date(ms);
}

const toAnswer = ({ attachedAt, expiresAt, ...code }: PlayerCode): Static<typeof playerCode> => ({
  ...code,
  attachedAt: attachedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/**
 * Returns the start of a time's second. Times of purchases often have no fraction, and a purchase right after the code was entered
 * must not be before it.
 */
const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1_000) * 1_000);
