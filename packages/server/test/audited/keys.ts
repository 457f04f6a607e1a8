import type { AuditedOperation, House } from './house.ts';

export const keyOperations: AuditedOperation[] = [
  {
    operation: 'keys create',
    action: 'key.create',
    prepare:
      async ({ run }) =>
      () =>
        run('keys', 'create', '--kind', 'secret', '--name', 'made'),
    refused: ({ run }) => run('keys', 'create', '--kind', 'secret', '--name', 'backend'),
  },
  {
    operation: 'keys rotate',
    action: 'key.rotate',
    async prepare(house) {
      const keyId = await makeKey(house, 'to-rotate');
      return () => house.run('keys', 'rotate', keyId);
    },
    refused: ({ run }) => run('keys', 'rotate', 'key_none'),
  },
  {
    operation: 'keys revoke',
    action: 'key.revoke',
    async prepare(house) {
      const keyId = await makeKey(house, 'to-revoke');
      return () => house.run('keys', 'revoke', keyId);
    },
    refused: ({ run }) => run('keys', 'revoke', 'key_none'),
  },
];

async function makeKey({ run }: House, name: string): Promise<string> {
  const { stdout } = await run('keys', 'create', '--kind', 'public', '--name', name, '--json');
  return JSON.parse(stdout).keyId;
}
