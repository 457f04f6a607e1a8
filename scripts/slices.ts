/** Slices of packages/server/src, in the order in which they may import each other (ARCHITECTURE.md). */
export const slices: readonly string[] = [
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
];

/** Folders of entry points that are not part of a slice. The routes of a slice are its own entry point. */
export const entryPoints: readonly string[] = ['cli', 'program-file', 'admin-api', 'portal-api'];
