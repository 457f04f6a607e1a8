import { type Static, Type } from 'typebox';
import { closed, inputGroupId, inputName } from '../platform/http/schemas/inputs.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { groupInput } from '../publishers/put-group.ts';
import { publisherInput } from '../publishers/put-publisher.ts';
import { skuShareInput } from '../revenue-shares/put-sku-share.ts';
import { scheduleInput } from '../revenue-shares/schedules/put-schedules.ts';
import { tierInput } from '../revenue-shares/tiers/put-tier.ts';
import { bounty } from './bounty-schema.ts';

const url = Type.Union([Type.String({ format: 'uri', maxLength: 2_000 }), Type.Null()], {
  description: 'an http or https address; null takes it away',
});
const apiKey = Type.Object(
  {
    name: inputName,
    kind: Type.String({ enum: ['secret', 'public'] }),
    group: Type.Optional(inputGroupId),
    value: Type.Optional(
      Type.String({
        pattern: '^svc_(sk|pk)_[0-9A-Za-z]{38}$',
        description:
          'a key of your own: svc_sk_ or svc_pk_, 32 random characters and 6 of checksum; for development',
      }),
    ),
  },
  { ...closed, description: 'Made when the publisher has no key of this name; never changed.' },
);

const code = Type.Object(
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

const member = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_.:@-]{1,64}$',
      description: '1 to 64 letters, digits and _ . : @ -; the same id in two groups is the same account',
    }),
    name: Type.Optional(inputName),
    playerId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\p{Control}\\p{Surrogate}]*$' }),
    ),
    playerMetadata: Type.Optional(Type.Object({ displayName: Type.Optional(text(255)) })),
    status: Type.Optional(Type.String({ enum: ['Approved', 'Pending', 'Removed'] })),
    removalReason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[^\\u0000\\p{Surrogate}]*$',
        description: 'Why the member is removed; sent with the event RemovedMember.',
      }),
    ),
    visible: Type.Optional(Type.Boolean()),
    tier: Type.Optional(
      Type.Union([inputName, Type.Null()], { description: "a tier's name; null takes it away" }),
    ),
    logoImage: Type.Optional(url),
    profileImage: Type.Optional(url),
    codes: Type.Optional(Type.Array(code)),
    identities: Type.Optional(
      Type.Array(
        Type.Object(
          {
            provider: Type.String({ minLength: 1, maxLength: 64 }),
            id: Type.String({ minLength: 1, maxLength: 255 }),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);

const group = Type.Object(
  {
    ...groupInput.properties,
    default: Type.Optional(
      Type.Boolean({
        description:
          'Used where no groupId is given. The first group of a publisher is, until another one says so.',
      }),
    ),
    tiers: Type.Optional(Type.Array(tierInput)),
    skuRevShares: Type.Optional(Type.Array(skuShareInput)),
    schedules: Type.Optional(Type.Array(scheduleInput)),
    bounties: Type.Optional(Type.Array(bounty)),
    members: Type.Optional(Type.Array(member)),
  },
  closed,
);

/** A program file: what it names is made or changed, what it does not name is left alone. */
export const programSchema = Type.Object(
  {
    publisher: Type.Object(
      { ...publisherInput.properties, apiKeys: Type.Optional(Type.Array(apiKey)) },
      closed,
    ),
    groups: Type.Optional(Type.Array(group)),
  },
  { ...closed, title: 'Program file', description: 'A publisher with its groups, tiers, members and keys.' },
);

export type Program = Static<typeof programSchema>;
export type ProgramGroup = NonNullable<Program['groups']>[number];
export type ProgramMember = NonNullable<ProgramGroup['members']>[number];
export type ProgramCode = NonNullable<ProgramMember['codes']>[number];
