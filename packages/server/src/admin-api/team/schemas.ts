import { roles } from '../../accounts/roles.ts';
import { oneOf } from '../schemas.ts';

export const role = oneOf(roles, { description: 'Role, which determines the permissions (docs/roles.md).' });
