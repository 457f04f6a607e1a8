import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { isReferenceOf, rangeOfReference, referenceOfRow } from './row-reference.ts';

const rowId = fc
  .tuple(
    fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2070, 0, 1) }),
    fc.stringMatching(/^7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  )
  .map(([ms, rest]) => {
    const hex = ms.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-${rest}` as AttributionId;
  });

test('a reference is twelve readable characters, and leads to a short range of ids that contains the row', () => {
  fc.assert(
    fc.property(rowId, (id) => {
      const reference = referenceOfRow(id);
      expect(reference).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/);
      const range = rangeOfReference(reference);
      expect(range !== null && range.from <= id && id < range.until).toBe(true);
      const msOf = (text = '') => Number.parseInt(text.replaceAll('-', '').slice(0, 12), 16);
      expect(msOf(range?.until) - msOf(range?.from)).toBe(64);
      expect(isReferenceOf(` ${reference.toLowerCase().replaceAll('-', ' ')} `, id)).toBe(true);
    }),
  );
});

test('rows recorded together have different references, and other text is no reference', () => {
  const ids = Array.from(
    { length: 1_000 },
    (_, place) => `01a2213a-e099-7500-8c20-a45f5c86${place.toString(16).padStart(4, '0')}` as AttributionId,
  );
  expect(new Set(ids.map(referenceOfRow)).size).toBe(1_000);
  const [first = '', second = '' as AttributionId] = ids;
  expect(isReferenceOf(referenceOfRow(first as AttributionId), second)).toBe(false);
  for (const text of ['', 'ALICE', 'AAAA-BBBB-CCC', 'AAAA-BBBB-CCCCC', 'AAAA-0BBB-CCCC', 'ÄAAA-BBBB-CCCC'])
    expect(rangeOfReference(text), text).toBeNull();
});
