/** The rooms of packages/server/src, in the order in which they may know each other (ARCHITECTURE.md). */
export const rooms: readonly string[] = [
  'audit',
  'publishers',
  'api-keys',
  'webhooks',
  'members',
  'revenue-shares',
  'attributions',
  'settlement',
  'linking',
  'bounties',
  'accounts',
  'program-file',
];
