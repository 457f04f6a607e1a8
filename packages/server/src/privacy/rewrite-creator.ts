import { erasedReason } from '../members/erase/erase-memberships.ts';
import { erasedName } from '../members/erase/read-creator.ts';
import type { EventPayload, EventValue } from '../webhooks/event-text.ts';

export interface CreatorInEvents {
  /** Account that the publisher knows the creator by, and the accounts that it has claimed. */
  accountIds: readonly string[];
  playerIds: readonly string[];
  /** Codes to replace, for events that were rewritten before without the codes. */
  codes: readonly string[];
  /** Replacement of a code; the same code if codes are kept. */
  codeFor(code: string): string;
}

/** Returns a payload without a creator's name, picture and player id. Ids of accounts stay. */
export function withoutCreator(payload: EventPayload, creator: CreatorInEvents): EventPayload {
  return rewrite(payload, creator) as EventPayload;
}

function rewrite(value: EventValue, creator: CreatorInEvents): EventValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => rewrite(each, creator));
  const fields = new Map<string, EventValue>(Object.entries(value));
  const has = (name: string, ids: readonly string[]): boolean => {
    const id = fields.get(name);
    return typeof id === 'string' && ids.includes(id);
  };
  if (has('memberPlayerId', creator.playerIds)) fields.delete('memberPlayerId');
  const code = fields.get('code');
  if (typeof code === 'string' && creator.codes.includes(code)) fields.set('code', creator.codeFor(code));
  if (has('userId', creator.playerIds)) fields.set('userId', creator.accountIds[0]);
  if (has('memberId', creator.accountIds) || has('creatorId', creator.accountIds)) {
    fields.delete('logoImage');
    if (fields.has('name')) fields.set('name', erasedName);
    if (fields.has('removalReason')) fields.set('removalReason', erasedReason);
  }
  return Object.fromEntries([...fields].map(([name, each]) => [name, rewrite(each, creator)]));
}
