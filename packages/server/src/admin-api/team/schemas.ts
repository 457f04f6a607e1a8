import { Type } from 'typebox';
import { roles } from '../../accounts/roles.ts';

export const role = Type.Union(
  roles.map((each) => Type.Literal(each)),
  { description: 'What they may do (docs/roles.md).' },
);
