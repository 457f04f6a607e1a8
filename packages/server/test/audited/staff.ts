import { sql } from 'kysely';
import { signIn } from '../staff.ts';
import type { AuditedOperation, House } from './house.ts';

export const staffOperations: AuditedOperation[] = [
  {
    operation: 'staff invite',
    action: 'staff.invite',
    prepare:
      async ({ run }) =>
      () =>
        run('staff', 'invite', '--email', 'asked@example.com', '--role', 'viewer'),
    refused: ({ run }) => run('staff', 'invite', '--email', 'no address', '--role', 'viewer'),
  },
  {
    operation: 'staff remove',
    action: 'staff.remove',
    async prepare(house) {
      const email = await someone(house);
      return () => house.run('staff', 'remove', '--email', email);
    },
    refused: ({ run }) => run('staff', 'remove', '--email', 'nobody@example.com'),
  },
  {
    operation: 'staff reset-password',
    action: 'staff.reset-password',
    async prepare(house) {
      const email = await someone(house);
      return () => house.run('staff', 'reset-password', '--email', email);
    },
    refused: ({ run }) => run('staff', 'reset-password', '--email', 'nobody@example.com'),
  },
  {
    operation: 'staff remove-second-factors',
    action: 'staff.remove-second-factors',
    async prepare(house) {
      const email = await someone(house);
      await house.query(sql`
        insert into staff_two_factor (id, user_id, secret, backup_codes)
        select id, id, '', '' from staff_user where email = ${email}`);
      return () => house.run('staff', 'remove-second-factors', '--email', email);
    },
    given: someone,
    refused: ({ run }, email) => run('staff', 'remove-second-factors', '--email', email),
  },
];

async function someone({ service }: House): Promise<string> {
  const { email } = await signIn(service(), 'viewer');
  return email;
}
