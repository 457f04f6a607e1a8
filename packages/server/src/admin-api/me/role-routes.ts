import { Type } from 'typebox';
import { permissions, permissionsInSandbox, permissionsOf, roles } from '../../accounts/roles.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminErrors } from '../schemas.ts';

/** Registers the route that returns the table of roles for the Team screen. */
export function roleRoutes(app: App): void {
  app.get(
    '/roles',
    {
      config: { staff: 'signed-in' },
      schema: {
        operationId: 'listRoles',
        summary: 'List the roles and their permissions',
        tags: ['Team'],
        response: {
          200: Type.Object(
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
          ...adminErrors,
        },
      },
    },
    (_request, reply) =>
      sendJson(reply, {
        permissions: Object.entries(permissions).map(([permission, meaning]) => ({ permission, meaning })),
        roles: roles.map((role) => ({
          role,
          permissions: [...permissionsOf[role]],
          inSandbox: [...permissionsInSandbox[role]],
        })),
      }),
  );
}
