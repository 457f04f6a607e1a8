import { expect, test } from 'vitest';
import type { AccountId, MembershipId } from './database/tables.generated.ts';
import { newRowId, toAccountId, toAttributionId } from './ids.ts';

test('keeps text and the ids of different entities apart by type', () => {
  const text: string = toAccountId('acc_alice');
  // @ts-expect-error text is not an id
  const fromText: AccountId = text;
  // @ts-expect-error an account id is not a membership id
  const ofMembership: MembershipId = toAccountId('acc_alice');
  expect([text, fromText, ofMembership]).toEqual(Array(3).fill('acc_alice'));
});

test('rejects text that is not a row id', () => {
  const id = newRowId();
  expect(toAttributionId(id)).toBe(id);
  expect(() => toAttributionId('acc_alice')).toThrow('acc_alice is not a row id');
});
