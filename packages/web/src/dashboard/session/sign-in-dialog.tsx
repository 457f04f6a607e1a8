import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../ui/text.ts';
import { type Me, meOptions } from './session.ts';
import type { Asked } from './sign-in-again.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Opens over whatever somebody does when their sign-in has ended, or is too old for it. */
export function SignInDialog({ asked }: { asked: Asked | null }) {
  const client = useQueryClient();
  const email = client.getQueryData<Me>(meOptions.queryKey)?.email ?? null;
  return (
    <Modal
      opened={asked !== null}
      onClose={() => asked?.settle(false)}
      title={asked?.why === 'stale' ? t('Sign in again for this') : t('Your sign-in has ended')}
      closeOnClickOutside={false}
      zIndex={1_000}
    >
      <Text mb="md">
        {asked?.why === 'stale'
          ? t('Money, keys and the team ask for a sign-in of the last five minutes.')
          : t('Sign in again to go on. What you typed is still there.')}
      </Text>
      <SignInForm
        email={email}
        onSignedIn={async () => {
          asked?.settle(true);
          await client.invalidateQueries({ queryKey: meOptions.queryKey });
        }}
      />
    </Modal>
  );
}
