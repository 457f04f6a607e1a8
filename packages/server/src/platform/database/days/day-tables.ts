/** Tables that lie in partitions by day, each by its ids; a migration makes a table one. */
export const dayTables = [
  'refused_request',
  'webhook_event',
  'webhook_delivery_end',
  'webhook_attempt',
  'bounty_event',
] as const;
