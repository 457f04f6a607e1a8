import type { Db } from '../../platform/database/database.ts';
import type { AlertOwner } from './alerts.ts';

/** Deletes a person's stream alert, which ends its overlays. Without one, nothing changes. */
export async function removeAlert(db: Db, { publisherId, userId }: AlertOwner): Promise<void> {
  await db
    .deleteFrom('stream_alert')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .execute();
}
