import { type Static, Type } from 'typebox';
import { keyInput } from '../api-keys/put-key.ts';
import { bountyInput } from '../bounties/define/bounty-input.ts';
import { connectorInput } from '../connectors/put-connector.ts';
import { memberInput } from '../members/put/member-input.ts';
import { closed } from '../platform/inputs.ts';
import { groupInput } from '../publishers/put-group.ts';
import { publisherInput } from '../publishers/put-publisher.ts';
import { skuShareInput } from '../revenue-shares/put-sku-share.ts';
import { scheduleInput } from '../revenue-shares/schedules/put-schedules.ts';
import { tierInput } from '../revenue-shares/tiers/put-tier.ts';

const group = Type.Object(
  {
    ...groupInput.properties,
    default: Type.Optional(
      Type.Boolean({
        description:
          "Used for requests without a groupId. A publisher's first group is the default until another group is marked.",
      }),
    ),
    tiers: Type.Optional(Type.Array(tierInput)),
    skuRevShares: Type.Optional(Type.Array(skuShareInput)),
    schedules: Type.Optional(Type.Array(scheduleInput)),
    bounties: Type.Optional(Type.Array(bountyInput)),
    members: Type.Optional(Type.Array(memberInput)),
  },
  closed,
);

/**
 * Schema of a program file. Applying the file creates or changes the entries in the file and leaves
 * everything else unchanged.
 */
export const programSchema = Type.Object(
  {
    publisher: Type.Object(
      {
        ...publisherInput.properties,
        apiKeys: Type.Optional(Type.Array(keyInput)),
        connectors: Type.Optional(Type.Array(connectorInput, { maxItems: 100 })),
      },
      closed,
    ),
    groups: Type.Optional(Type.Array(group)),
  },
  { ...closed, title: 'Program file', description: 'A publisher with its groups, tiers, members and keys.' },
);

export type Program = Static<typeof programSchema>;
export type ProgramGroup = NonNullable<Program['groups']>[number];
