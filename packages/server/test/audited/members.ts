import type { AuditedOperation } from './house.ts';

export const memberOperations: AuditedOperation[] = [
  {
    operation: 'generateMember',
    action: 'member.generate',
    prepare:
      async ({ send }) =>
      () =>
        send('POST', '/members', { playerId: 'p-generated' }),
    refused: ({ send }) => send('POST', '/members', { playerId: 'p-3' }), // Pending
  },
  {
    operation: 'linkMember',
    action: 'member.link',
    async prepare({ makeMember, authCode, link }) {
      const code = await authCode(await makeMember('main', 'LINKS'));
      return () => link('main', { playerId: 'p-links', authCode: code });
    },
    given: async ({ makeMember, authCode }) => authCode(await makeMember('main', 'LINKS-NOT')),
    refused: ({ link }, code) => link('main', { playerId: 'p-2', authCode: code }),
  },
  {
    operation: 'linkMember',
    action: 'member.link', // which also claims a member
    async prepare({ generate, makeMember, authCode, link }) {
      await generate('main', 'p-to-claim');
      const code = await authCode(await makeMember('main', 'CLAIMS'));
      return () => link('main', { playerId: 'p-to-claim', authCode: code });
    },
    refused: ({ link }) => link('main', { playerId: 'p-to-claim', authCode: 'AAAA-AAAA' }),
  },
  {
    operation: 'getAuthCode',
    action: 'auth-code.issue',
    prepare:
      async ({ ask }) =>
      () =>
        ask('/members/p-2/authCode'),
    refused: ({ ask }) => ask('/members/p-nobody/authCode'),
  },
  {
    operation: 'auth-codes issue',
    action: 'auth-code.issue',
    prepare:
      async ({ run }) =>
      () =>
        run('auth-codes', 'issue', '--member', 'acc_bob'),
    refused: ({ run }) => run('auth-codes', 'issue', '--member', 'acc_rival'),
  },
  {
    operation: 'members approve',
    action: 'member.approve',
    async prepare({ makeMember, run }) {
      const memberId = await makeMember('main', 'WAITS', 'status: Pending');
      return () => run('members', 'approve', memberId);
    },
    refused: ({ run }) => run('members', 'approve', 'acc_nobody'),
  },
  {
    operation: 'members remove',
    action: 'member.remove',
    async prepare({ makeMember, run }) {
      const memberId = await makeMember('main', 'LEAVES');
      return () => run('members', 'remove', memberId, '--reason', 'fraud');
    },
    refused: ({ run }) => run('members', 'remove', 'acc_alice', '--reason', ''),
  },
];
