import { erasedReason } from '../members/erase/erase-memberships.ts';
import { erasedName } from '../members/erase/read-creator.ts';
import type { EventPayload, EventValue } from '../webhooks/event-text.ts';

export interface CreatorInEvents {
  /** Account that the publisher knows the creator by, and the accounts that it has claimed. */
  accountIds: readonly string[];
  /** Replacement of a code; the same code if codes are kept. */
  codeFor(code: string): string;
}

/**
 * Returns a payload without a creator's name, picture and player id. Ids of accounts stay, and show which objects are about the
 * creator, so player ids and codes that the creator no longer had are found, too.
 */
export function withoutCreator(payload: EventPayload, creator: CreatorInEvents): EventPayload {
  return rewrite(payload, creator, null) as EventPayload;
}

/** @param owner the creator's account that an object around this value is about; null for none */
function rewrite(value: EventValue, creator: CreatorInEvents, owner: string | null): EventValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => rewrite(each, creator, owner));
  const fields = new Map<string, EventValue>(Object.entries(value));
  const own = creator.accountIds.find(
    (id) => fields.get('memberId') === id || fields.get('creatorId') === id,
  );
  if (own !== undefined) {
    fields.delete('logoImage');
    if (fields.has('name')) fields.set('name', erasedName);
    if (fields.has('removalReason')) fields.set('removalReason', erasedReason);
    const code = fields.get('code');
    if (typeof code === 'string') fields.set('code', creator.codeFor(code));
  }
  const about = own ?? owner;
  if (about !== null && fields.has('userId')) fields.set('userId', about);
  return Object.fromEntries([...fields].map(([name, each]) => [name, rewrite(each, creator, about)]));
}
