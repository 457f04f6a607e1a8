import { Type } from 'typebox';
import type { DescribedEvent } from '../webhooks/describe-webhook.ts';

const memberId = Type.String({ description: "The member's account id." });
const code = Type.Optional(Type.String({ description: "The member's primary code." }));

export const memberEvents: readonly DescribedEvent[] = [
  {
    kind: 'GroupManagement/NewMember',
    description: 'A member becomes Approved in a group by being created, generated, linked or approved.',
    event: Type.Object(
      { memberId, code, name: Type.String(), logoImage: Type.Optional(Type.String()) },
      { title: 'NewMemberEvent', description: 'The new member.' },
    ),
    example: {
      memberId: 'acc_carol',
      code: 'CAROL',
      name: 'Carol',
      logoImage: 'https://game.example/carol.png',
    },
  },
  {
    kind: 'GroupManagement/RemovedMember',
    description: 'A member of a group is no longer Approved.',
    event: Type.Object(
      {
        memberId,
        code,
        removalDate: Type.String({ format: 'date-time' }),
        removalReason: Type.String(),
      },
      { title: 'RemovedMemberEvent', description: 'The former member, with the reason for the removal.' },
    ),
    example: {
      memberId: 'acc_carol',
      code: 'CAROL',
      removalDate: '2026-11-21T10:48:28.864Z',
      removalReason: 'Left the program',
    },
  },
];
