import type { TestService } from './test-service.ts';

/** Publisher with two groups, members with every status, and codes of every kind. */
export const auroraProgram = `
publisher:
  id: aurora
  name: Aurora Games
  apiKeys:
    - { name: backend, kind: secret }
    - { name: client, kind: public }
    - { name: moba, kind: secret, group: moba }
groups:
  - id: main
    name: Aurora Creators
    default: true
    revShare: 10
    disabledCurrencies: [BTC]
    tiers: [ { id: 7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90, name: Gold, revShare: 20 } ]
    skuRevShares: [ { skuId: battle-pass, revShare: 5 } ]
    members:
      - { id: acc_alice, name: Alice, playerId: p-1, tier: Gold, playerMetadata: { displayName: Al },
          codes: [ { code: ALICE, primary: true }, { code: AL-1, generated: true, managed: true, group: main }, { code: OLD, approved: false } ],
          identities: [ { provider: twitch, id: "123" }, { provider: youtube, id: "456" } ] }
      - { id: acc_bob, name: Bob, playerId: p-2, codes: [ { code: BOB, primary: true } ], identities: [ { provider: steam, id: "123" } ] }
      - { id: acc_pending, playerId: p-3, status: Pending, codes: [ { code: PENDING } ] }
      - { id: acc_removed, playerId: p-4, status: Removed, codes: [ { code: REMOVED } ] }
  - id: moba
    name: Aurora MOBA
    revShare: 8
    members:
      - { id: acc_alice, playerId: p-1, codes: [ { code: MOBA-AL, group: moba } ] }
      - { id: acc_dora, name: Dora, playerId: p-9, codes: [ { code: DORA }, { code: BOB, group: moba } ] }
`;

/** Another publisher, whose data must stay invisible to aurora. */
export const rivalProgram = `
publisher: { id: rival, apiKeys: [ { name: backend, kind: secret } ] }
groups:
  - id: main
    revShare: 30
    members:
      - { id: acc_rival, playerId: p-1, codes: [ { code: RIVAL, primary: true } ], identities: [ { provider: twitch, id: "999" } ] }
  - { id: hidden, revShare: 1 }
`;

export interface FixtureKeys {
  /** Secret key for the whole publisher aurora. */
  backend: string;
  /** Public key. */
  client: string;
  /** Secret key for the group moba only. */
  moba: string;
  /** Secret key for the publisher rival. */
  rival: string;
}

export async function provisionFixtures(service: TestService): Promise<FixtureKeys> {
  const aurora = await service.provision(auroraProgram);
  const rival = await service.provision(rivalProgram);
  const named = (keys: typeof aurora, name: string): string => {
    const key = keys.find((each) => each.name === name);
    if (key === undefined) throw new Error(`the fixture did not create the key ${name}`);
    return key.key;
  };
  return {
    backend: named(aurora, 'backend'),
    client: named(aurora, 'client'),
    moba: named(aurora, 'moba'),
    rival: named(rival, 'backend'),
  };
}

let purchases = 0;

/** Returns a valid purchase with a unique transactionId. */
export function purchase(
  changes: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } {
  purchases += 1;
  return {
    transactionId: `t-${purchases}`,
    code: 'ALICE',
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    transactionDate: '2026-05-01T12:00:00.000Z',
    ...changes,
  };
}
