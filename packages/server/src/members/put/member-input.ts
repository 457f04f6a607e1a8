import { type Static, Type } from 'typebox';
import { plain, storable, text } from '../../platform/http/schemas/schemas.ts';
import { closed, inputGroupId, inputName, inputReference } from '../../platform/inputs.ts';
import type { MemberStatus } from '../lock-members.ts';

const url = Type.Union([Type.String({ format: 'uri', maxLength: 2_000 }), Type.Null()], {
  description: 'an http or https address; null takes it away',
});

export const codeInput = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Za-z0-9_-]{2,32}$', description: '2 to 32 letters, digits, _ and -' }),
    primary: Type.Optional(
      Type.Boolean({ description: "The member's primary code; the one before stops being it." }),
    ),
    generated: Type.Optional(Type.Boolean({ description: 'Made by the publisher.' })),
    managed: Type.Optional(
      Type.Boolean({ description: 'Managed by the publisher until a creator claims it.' }),
    ),
    approved: Type.Optional(
      Type.Boolean({ description: 'An unapproved code credits nobody. True when absent.' }),
    ),
    group: Type.Optional(inputGroupId),
  },
  {
    ...closed,
    description:
      "With `group` the code belongs to that group alone; without, it is good in all of its creator's groups.",
  },
);

export const identityInput = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 64 }),
    id: Type.String({ minLength: 1, maxLength: 255 }),
  },
  closed,
);

/** What can be said of a member; what is absent stays as it is. */
export const memberInput = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_.:@-]{1,64}$',
      description: '1 to 64 letters, digits and _ . : @ -; the same id in two groups is the same account',
    }),
    name: Type.Optional(inputName),
    playerId: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: plain })),
    playerMetadata: Type.Optional(Type.Object({ displayName: Type.Optional(text(255)) })),
    status: Type.Optional(
      Type.Unsafe<MemberStatus>(Type.String({ enum: ['Approved', 'Pending', 'Removed'] })),
    ),
    removalReason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: storable,
        description: 'Why the member is removed; sent with the event RemovedMember.',
      }),
    ),
    visible: Type.Optional(Type.Boolean()),
    tier: Type.Optional(
      Type.Union([inputReference, Type.Null()], { description: "a tier's name; null takes it away" }),
    ),
    logoImage: Type.Optional(url),
    profileImage: Type.Optional(url),
    codes: Type.Optional(Type.Array(codeInput)),
    identities: Type.Optional(Type.Array(identityInput)),
  },
  closed,
);

export type MemberInput = Static<typeof memberInput>;
export type CodeInput = Static<typeof codeInput>;
export type IdentityInput = Static<typeof identityInput>;
