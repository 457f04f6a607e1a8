import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { described, plain, portablePatterns, storable, visible } from '../schemas/schemas.ts';
import { nameModels } from './name-models.ts';

const coin = Type.String({ enum: ['USD', 'EUR'], title: 'Coin', description: 'A coin.' });
const answering = (...schemas: object[]) => ({ components: { schemas: {} }, paths: { '/': { schemas } } });

describe('a schema with a title', () => {
  it('is moved to the components, with references that keep the description of each place', () => {
    const price = Type.Object(
      {
        coin: described(coin, 'What it is paid in.'),
        change: Type.Optional(described(coin, 'What comes back.')),
      },
      { title: 'Price' },
    );
    expect(nameModels(answering(price, Type.Array(price), coin))).toEqual({
      components: {
        schemas: {
          Coin: { type: 'string', enum: ['USD', 'EUR'], description: 'A coin.' },
          Price: {
            type: 'object',
            required: ['coin'],
            properties: {
              coin: { $ref: '#/components/schemas/Coin', description: 'What it is paid in.' },
              change: { $ref: '#/components/schemas/Coin', description: 'What comes back.' },
            },
          },
        },
      },
      paths: {
        '/': {
          schemas: [
            { $ref: '#/components/schemas/Price' },
            { type: 'array', items: { $ref: '#/components/schemas/Price' } },
            { $ref: '#/components/schemas/Coin' },
          ],
        },
      },
    });
  });

  it('throws when a different schema has the same name', () => {
    const other = Type.String({ title: 'Coin' });
    expect(() => nameModels(answering(coin, other))).toThrow(
      'two different schemas of the document are named Coin',
    );
  });

  it('is not confused with a property named title or with an example', () => {
    const book = Type.Object({ title: Type.String() }, { examples: [{ title: 'Ulysses', type: 'novel' }] });
    expect(nameModels(answering(book))).toEqual(answering({ ...book }));
  });
});

describe('the portable pattern', () => {
  for (const [name, pattern] of Object.entries({ storable, plain, visible })) {
    it(`matches the same well-formed text as ${name}, with and without the flag u`, () => {
      const portable = portablePatterns.get(pattern) ?? '';
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom(...'aé😀\u0000\n\u007f\u0085\u00a0pS{}') }), (text) => {
          const taken = new RegExp(pattern, 'u').test(text);
          expect(new RegExp(portable).test(text)).toBe(taken);
          expect(new RegExp(portable, 'u').test(text)).toBe(taken);
        }),
      );
    });
  }
});
