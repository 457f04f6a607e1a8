import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
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
  app.post(
    '/v1/events',
    {
      config: {
        key: 'secret',
        group: 'as read',
        refusals: { MemberNotFound: { status: 400 } },
        sentCode: ({ body }) => (body as { code?: unknown } | null)?.code,
      },
      schema: {
        operationId: 'recordEvent',
        summary: 'Record a custom event',
        description:
          "Counts for the objectives that ask for its eventCode. An eventId is recorded once: sent again, whatever it says, it counts nothing, and is answered with the first while that is kept (90 days, unless the operator says otherwise). Send either the member's code or its memberId.",
        tags: bountyTags,
        querystring: Type.Object({ groupId }),
        body: Type.Object(
          {
            eventId: filled("publisher's own id of the event, 1 to 255 characters"),
            eventCode: filled('as an objective names it, 1 to 255 characters'),
            code: Type.Optional(filled('a code of the member, 1 to 255 characters')),
            memberId: Type.Optional(filled("the member's account id, 1 to 255 characters")),
            playerId: filled('the player who did it, 1 to 255 characters'),
            occurredAt: Type.Optional(timestamp('When it happened; now when absent.')),
          },
          {
            ...nullIsAbsent,
            ...oneOfThese('code', 'memberId'),
            title: 'NewCustomEvent',
            description:
              'What a player did, credited to a member: named by code or by memberId, not by both.',
          },
        ),
        response: {
          200: Type.Object(
            {
              eventId: Type.String(),
              eventCode: Type.String(),
              memberId: Type.String(),
              playerId: Type.String(),
              occurredAt: Type.String({ format: 'date-time' }),
            },
            { title: 'CustomEvent', description: 'The event as it was recorded.' },
          ),
          400: errorBody('InvalidEventCode, CodeNotInGroup, MemberNotFound, InvalidGroup or InvalidInput.'),
          409: errorBody(
            'Conflict: the eventId was recorded in a group that this key is not for, or so long ago that its event is kept no more.',
          ),
          ...bodyErrors,
          ...secretErrors,
        },
      },
    },
    async ({ principal, group, body }, reply) => {
      const { eventId, eventCode, code, memberId, playerId, occurredAt } = body;
      const { publisherId } = principal;
      const program = await programs.get(publisherId);
      if (program === null) throw new Error('a key belongs to a publisher that does not exist');
      const now = clock.now();
      const asked = {
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
      return sendJson(reply, await recordEvent(db, asked, now));
    },
  );
}

function memberOf(code: string | undefined, memberId: string | undefined): SentEvent['member'] {
  if (code !== undefined && memberId === undefined) return { code };
  if (memberId !== undefined && code === undefined) return { memberId: toAccountId(memberId) };
  throw new Error('the schema let an event pass with both or neither of code and memberId');
}
