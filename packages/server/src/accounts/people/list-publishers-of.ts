import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { isRole, type Role } from '../roles.ts';

export interface PublisherOfPerson {
  publisherId: string;
  name: string;
  role: Role;
  demandsTwoFactor: boolean;
  /** True if the person hid the payout rehearsal guide. */
  hidesRehearsal: boolean;
}

/** Maximum number of publishers returned. Showing more would require a different screen. */
const maxPublishers = 200;

/** Returns a person's publishers, ordered by name. */
export async function listPublishersOf(db: Db | Tx, userId: string): Promise<PublisherOfPerson[]> {
  const rows = await db
    .selectFrom('staff')
    .select(['publisher_id', 'role', 'rehearsal_hidden_at'])
    .where('user_id', '=', userId)
    .orderBy('publisher_id')
    .limit(maxPublishers)
    .execute();
  const ids = rows.map(({ publisher_id }) => publisher_id);
  const names = await publisherNames(db, ids);
  const demanding = await demandingTwoFactor(db, ids);
  return rows
    .flatMap(({ publisher_id: publisherId, role, rehearsal_hidden_at }) =>
      isRole(role)
        ? [
            {
              publisherId,
              name: names.get(publisherId) ?? publisherId,
              role,
              demandsTwoFactor: demanding.has(publisherId),
              hidesRehearsal: rehearsal_hidden_at !== null,
            },
          ]
        : [],
    )
    .sort((one, other) => one.name.localeCompare(other.name));
}

async function demandingTwoFactor(db: Db | Tx, publisherIds: string[]): Promise<ReadonlySet<string>> {
  if (publisherIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('staff_rules')
    .select('publisher_id')
    .where('publisher_id', 'in', publisherIds)
    .where('demands_two_factor', '=', true)
    .execute();
  return new Set(rows.map(({ publisher_id }) => publisher_id));
}
