import { expect, test } from 'vitest';
import type { AccountId, MembershipId } from './database/tables.generated.ts';
import { newRowId, toAccountId, toAttributionId } from './ids.ts';

test('an id is read as text, and neither text nor the id of something else is one', () => {
  const text: string = toAccountId('acc_alice');
  // @ts-expect-error a text is no id
  const fromText: AccountId = text;
  // @ts-expect-error an account is no membership
  const ofMembership: MembershipId = toAccountId('acc_alice');
  expect([text, fromText, ofMembership]).toEqual(Array(3).fill('acc_alice'));
});

test('what cannot be a row id is not taken for one', () => {
  const id = newRowId();
  expect(toAttributionId(id)).toBe(id);
  expect(() => toAttributionId('acc_alice')).toThrow('acc_alice is no row id');
});
