import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { type Sealer, type SealState, sealedStart } from '../platform/secrets/sealer.ts';

/** Counts the stored secrets of endpoints, channels, payout methods and the service by the key that sealed them. */
export async function countSecrets(db: Db, sealer: Sealer): Promise<Record<SealState, number>> {
  const counts = { plain: 0, current: 0, 'older-key': 0, 'unknown-key': 0 };
  const { rows } = await sql<{ start: string; n: number }>`
    select start, count(*)::int as n
    from (
      select left(stored, ${sealedStart}) as start
      from webhook_endpoint
      cross join lateral (values (secret), (next_secret)) as s (stored)
      where stored is not null
      union all
      select left(stored, ${sealedStart})
      from connector
      cross join lateral (values (secret), (previous_secret)) as s (stored)
      where stored is not null
      union all
      select left(body, ${sealedStart}) from connector_event where body is not null
      union all
      select left(url, ${sealedStart}) from notification_channel
      union all
      select left(sealed, ${sealedStart}) from payee_method
      union all
      select encode(substring(value for ${sealedStart}), 'escape') from service_secret
    ) s
    group by start`.execute(db);
  for (const { start, n } of rows) counts[sealer.stateOf(start)] += n;
  return counts;
}
