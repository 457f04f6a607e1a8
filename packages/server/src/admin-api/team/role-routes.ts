import { Type } from 'typebox';
import { permissions, permissionsInSandbox, permissionsOf, roles } from '../../accounts/roles.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';

export function roleRoutes(app: App): void {
  const { operation } = adminOperations(app, 'Team');
  operation(
    ['get', '/roles', 'listRoles'],
    {
      may: 'signed-in',
      summary: 'List the roles and their permissions',
      answer: Type.Object(
        {
          permissions: Type.Array(Type.Object({ permission: Type.String(), meaning: Type.String() })),
          roles: Type.Array(
            Type.Object(
              {
                role: Type.String(),
                permissions: Type.Array(Type.String()),
                inSandbox: Type.Array(Type.String(), { description: 'Permissions in a sandbox.' }),
              },
              { title: 'Role' },
            ),
          ),
        },
        { title: 'Roles' },
      ),
    },
    (_request) => ({
      permissions: Object.entries(permissions).map(([permission, meaning]) => ({ permission, meaning })),
      roles: roles.map((role) => ({
        role,
        permissions: [...permissionsOf[role]],
        inSandbox: [...permissionsInSandbox[role]],
      })),
    }),
  );
}
