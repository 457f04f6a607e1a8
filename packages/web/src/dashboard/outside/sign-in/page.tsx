import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { t } from '../../../ui/text.ts';
import { meOptions } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { OutsideFrame } from '../outside-frame.tsx';

/** Signs in and goes where one wanted to. */
export function Page() {
  const client = useQueryClient();
  const router = useRouter();
  const { next = '/' } = useSearch({ strict: false }) as { next?: string };
  return (
    <OutsideFrame title={t('Sign in')}>
      <SignInForm
        onSignedIn={async () => {
          client.removeQueries({ queryKey: meOptions.queryKey });
          // Paths of this page alone: an address of somebody else's may not be led to.
          router.history.push(/^\/(?![/\\])/.test(next) ? next : '/');
        }}
      />
    </OutsideFrame>
  );
}
