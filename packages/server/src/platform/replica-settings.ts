import { databaseUrl, type Setting, seconds, yesOrNo } from './setting-parsers.ts';

export interface ReplicaSettings {
  readonly databaseReadUrl: string | null;
  readonly databaseReadMaxAgeMs: number;
  readonly databaseReadLists: boolean;
}

export const replicaSettings: { readonly [Key in keyof ReplicaSettings]: Setting<ReplicaSettings[Key]> } = {
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    fallback: '',
    meaning:
      'A streaming replica of `DATABASE_URL`. Totals, rankings and exports are read from it while its lag is small enough, so they may be a few seconds old ([scaling.md](scaling.md#a-read-replica)). Each process opens `DATABASE_POOL_SIZE` connections to it, plus one.',
    parse: databaseUrl,
  },
  databaseReadMaxAgeMs: {
    name: 'DATABASE_READ_MAX_AGE_SECONDS',
    fallback: '10',
    meaning: 'Maximum lag at which the replica is still used.',
    parse: seconds(2, 3_600),
  },
  databaseReadLists: {
    name: 'DATABASE_READ_LISTS',
    fallback: 'false',
    meaning:
      'Set to `true` to read lists of purchases from the replica too. A purchase that was just recorded may then be missing from these lists.',
    parse: yesOrNo,
  },
};
