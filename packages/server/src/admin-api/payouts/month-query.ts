import { Type } from 'typebox';
import { groupQuery } from '../schemas.ts';

/** Query of operations about a month, in one group or in all of them. */
export const monthQuery = {
  ...groupQuery,
  month: Type.String({
    pattern: '^(19[7-9][0-9]|20[0-9][0-9])-(0[1-9]|1[0-2])$',
    description: 'UTC month, such as 2026-10.',
  }),
};
