import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import {
  bodyErrors,
  errorBody,
  groupId,
  oneOfThese,
  secretErrors,
  storable,
  timestamp,
} from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import { toAccountId } from '../../platform/ids.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import type { Programs } from '../../publishers/programs.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { bountyTags } from '../read/bounty-record.ts';
import { recordEvent, type SentEvent } from './record-event.ts';

interface EventDeps {
  db: Db;
  clock: Clock;
  programs: Programs;
}

const filled = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: storable, description });

export function recordEventRoute(app: App, { db, clock, programs }: EventDeps): void {
  operation(
    app,
    ['post', '/v1/events', 'recordEvent'],
    {
      config: {
        key: 'secret',
        group: 'as read',
        refusals: { MemberNotFound: { status: 400 } },
        sentCode: ({ body }) => (body as { code?: unknown } | null)?.code,
      },
      summary: 'Record a custom event',
      description:
        "Records an event from your game and counts it toward the objectives that have its `eventCode`. Each `eventId` is recorded once: resending it, even with different content, has no effect and returns the first event while that event is stored (90 days by default). Send either the member's `code` or `memberId`.",
      tags: bountyTags,
      query: { groupId },
      body: Type.Object(
        {
          eventId: filled('Your unique id for the event, 1 to 255 characters.'),
          eventCode: filled('Event code of an objective, 1 to 255 characters.'),
          code: Type.Optional(filled('Creator code of the member, 1 to 255 characters.')),
          memberId: Type.Optional(filled('Account id of the member, 1 to 255 characters.')),
          playerId: filled('Id of the player who caused the event, 1 to 255 characters.'),
          occurredAt: Type.Optional(timestamp('Time at which the event occurred. Defaults to now.')),
        },
        {
          ...nullIsAbsent,
          ...oneOfThese('code', 'memberId'),
          title: 'NewCustomEvent',
          description:
            'An event caused by a player and credited to a member. Exactly one of `code` and `memberId` is required.',
        },
      ),
      answer: Type.Object(
        {
          eventId: Type.String(),
          eventCode: Type.String(),
          memberId: Type.String(),
          playerId: Type.String(),
          occurredAt: Type.String({ format: 'date-time' }),
        },
        { title: 'CustomEvent', description: 'The recorded event.' },
      ),
      errors: {
        400: errorBody('InvalidEventCode, CodeNotInGroup, MemberNotFound, InvalidGroup or InvalidInput.'),
        409: errorBody(
          'Conflict: the eventId was used in another group, or so long ago that its event is no longer stored.',
        ),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async ({ principal, group, body }) => {
      const { eventId, eventCode, code, memberId, playerId, occurredAt } = body;
      const { publisherId } = principal;
      const program = await programs.get(publisherId);
      if (program === null) throw new Error("a key's publisher doesn't exist");
      const now = clock.now();
      const request = {
        program,
        groupId: group.groupId,
        event: {
          eventId,
          eventCode,
          member: memberOf(code, memberId),
          playerId,
          occurredAt:
            occurredAt !== undefined
              ? readTimestamp(occurredAt)
              : program.isSandbox
                ? await nowAt(db, clock, publisherId)
                : now,
        },
        ownGroupOnly: principal.groupId !== null,
      };
      const recorded = await recordEvent(db, request, now);
      return { ...recorded, occurredAt: recorded.occurredAt.toISOString() };
    },
  );
}

function memberOf(code: string | undefined, memberId: string | undefined): SentEvent['member'] {
  if (code !== undefined && memberId === undefined) return { code };
  if (memberId !== undefined && code === undefined) return { memberId: toAccountId(memberId) };
  throw new Error('an event with both or neither of code and memberId passed its schema');
}
