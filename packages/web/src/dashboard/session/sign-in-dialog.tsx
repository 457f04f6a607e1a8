import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '../../client/types.gen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../ui/text.ts';
import { ConfirmForm } from './confirm-form.tsx';
import { meOptions } from './session.ts';
import type { Asked } from './sign-in-again.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Opens over whatever somebody does when their sign-in has ended, or is too old for it. */
export function SignInDialog({ asked }: { asked: Asked | null }) {
  const client = useQueryClient();
  const me = client.getQueryData<Me>(meOptions.queryKey);
  const goOn = async (): Promise<void> => {
    asked?.settle(true);
    await client.invalidateQueries({ queryKey: meOptions.queryKey });
  };
  const isStale = asked?.why === 'stale' && me !== undefined;
  const here = window.location.pathname + window.location.search;
  return (
    <Dialog
      opened={asked !== null}
      onClose={() => asked?.settle(false)}
      title={isStale ? t('Show that it is you') : t('Your sign-in has ended')}
      closeOnClickOutside={false}
      zIndex={1_000}
    >
      <Text mb="md">
        {isStale
          ? t('Money, keys and the team ask for a sign-in of the last five minutes.')
          : t('Sign in again to go on. What you typed is still there.')}
      </Text>
      {isStale ? (
        <ConfirmForm me={me} onConfirmed={() => void goOn()} />
      ) : (
        <SignInForm email={me?.email ?? null} next={here} onSignedIn={goOn} />
      )}
    </Dialog>
  );
}
