/** Slices of packages/server/src. Each slice may import only earlier slices (ARCHITECTURE.md). */
export const slices: readonly string[] = [
  'audit',
  'publishers',
  'api-keys',
  'webhooks',
  'notices',
  'members',
  'player-codes',
  'revenue-shares',
  'attributions',
  'settlement',
  'payees',
  'linking',
  'bounties',
  'connectors',
  'accounts',
  'portal',
  'notifications',
  'privacy',
];

/** Folders with entry points that are not part of a slice. A slice's routes are its own entry point. */
export const entryPoints: readonly string[] = ['cli', 'program-file', 'admin-api', 'portal-api'];
