import { Type } from 'typebox';
import { roles } from '../../accounts/roles.ts';

export const role = Type.Union(
  roles.map((each) => Type.Literal(each)),
  { description: 'Role, which sets the permissions (docs/roles.md).' },
);
