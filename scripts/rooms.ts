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
];

/** Folders that translate for somebody outside. A room's own door is its routes. */
export const doors: readonly string[] = ['cli', 'program-file', 'admin-api', 'portal-api'];
