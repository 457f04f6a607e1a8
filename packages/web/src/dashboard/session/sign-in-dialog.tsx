import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '../../client/types.gen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../ui/text.ts';
import { ConfirmForm } from './confirm-form.tsx';
import { meOptions } from './session.ts';
import type { Asked } from './sign-in-again.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Dialog shown over the current page when the session has ended or is too old for a sensitive action. */
export function SignInDialog({ asked }: { asked: Asked | null }) {
  const client = useQueryClient();
  const me = client.getQueryData<Me>(meOptions.queryKey);
  const finish = async (): Promise<void> => {
    asked?.settle(true);
    await client.invalidateQueries({ queryKey: meOptions.queryKey });
  };
  const isStale = asked?.why === 'stale' && me !== undefined;
  const here = window.location.pathname + window.location.search;
  return (
    <Dialog
      opened={asked !== null}
      onClose={() => asked?.settle(false)}
      title={isStale ? t('Confirm it’s you') : t('Your session has ended')}
      closeOnClickOutside={false}
      zIndex={1_000}
    >
      <Text mb="md">
        {isStale
          ? t('To change payouts, keys, or the team, you must have signed in within the last five minutes.')
          : t('Sign in again to continue. What you typed is still here.')}
      </Text>
      {isStale ? (
        <ConfirmForm me={me} onConfirmed={() => void finish()} />
      ) : (
        <SignInForm email={me?.email ?? null} next={here} onSignedIn={finish} />
      )}
    </Dialog>
  );
}
