import { databaseUrl, type Setting, seconds, yesOrNo } from './setting-parsers.ts';

/** Database that reports are read from, and how old they may be. */
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
      'A streaming replica of `DATABASE_URL`: sums, rankings and exports, which may be some seconds old, are read there while it keeps up ([scaling.md](scaling.md#a-read-replica)). It gets as many connections as `DATABASE_POOL_SIZE` says, and one.',
    parse: databaseUrl,
  },
  databaseReadMaxAgeMs: {
    name: 'DATABASE_READ_MAX_AGE_SECONDS',
    fallback: '10',
    meaning: 'A replica that may be further behind is not read from.',
    parse: seconds(2, 3_600),
  },
  databaseReadLists: {
    name: 'DATABASE_READ_LISTS',
    fallback: 'false',
    meaning:
      'Set to `true` to read lists of purchases from the replica too: then a purchase that was just recorded may not be in them yet.',
    parse: yesOrNo,
  },
};
