import { Type } from 'typebox';
import type { DescribedEvent } from '../webhooks/describe-webhook.ts';

export const playerCodeEvents: readonly DescribedEvent[] = [
  {
    kind: 'Player/CodeExpiring',
    description:
      "A player's code expires within a day, and the player hasn't renewed it. Sent once, and only if the creator is Approved.",
    event: Type.Object(
      {
        groupId: Type.String(),
        playerId: Type.String(),
        code: Type.String({ description: 'Code that credits the creator now.' }),
        memberId: Type.String({ description: "The creator's account id." }),
        attachedAt: Type.String({ format: 'date-time' }),
        expiresAt: Type.String({
          format: 'date-time',
          description: 'First time at which the code is no longer in force.',
        }),
      },
      { title: 'CodeExpiringEvent', description: 'The code that expires.' },
    ),
    example: {
      groupId: 'main',
      playerId: 'p-77',
      code: 'ALICE',
      memberId: 'acc_alice',
      attachedAt: '2026-05-02T20:16:00.000Z',
      expiresAt: '2026-06-01T20:16:00.000Z',
    },
  },
];
