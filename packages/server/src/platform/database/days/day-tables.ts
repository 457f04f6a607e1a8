/** Tables that are partitioned by day, based on the time in their ids. */
export const dayTables = [
  'refused_request',
  'webhook_event',
  'webhook_delivery_end',
  'webhook_attempt',
  'bounty_event',
] as const;
