import { Type } from 'typebox';

export const percentNumber = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: `${description} In percent, with up to four decimal places.`,
  });
