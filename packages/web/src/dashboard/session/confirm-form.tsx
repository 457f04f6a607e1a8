import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Me } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useComplete } from '../../ui/use-complete.ts';
import { askAuth } from './auth.ts';
import { CodeField, lackOfCode, lackOfPassword, PasswordField } from './fields.tsx';
import { NothingToShow } from './nothing-to-show.tsx';
import { knowsPasskeys, signInWithPasskey } from './passkey.ts';
import { useAttempt } from './use-attempt.ts';

/** Shows once more that it is them, who are signed in already: by password, code or passkey, as they have. */
export function ConfirmForm({ me, onConfirmed }: { me: Me; onConfirmed(): void }) {
  const { ways, email } = me;
  const kind = ways.password ? 'password' : ways.codes ? 'code' : null;
  const { error, isBusy, run } = useAttempt();
  const [text, setText] = useState('');
  const { errors, check } = useComplete({
    password: kind === 'password' ? lackOfPassword(text) : null,
    code: kind === 'code' ? lackOfCode(text) : null,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (kind !== null && check(event.currentTarget))
      void run(async () => {
        await askAuth(`/me/confirm-${kind}`, { [kind]: text });
        onConfirmed();
      });
  };
  const askPasskey = async (): Promise<void> => {
    if (await signInWithPasskey()) onConfirmed();
  };
  const mayShowPasskey = ways.passkeys > 0 && knowsPasskeys();
  if (kind === null && !mayShowPasskey) return <NothingToShow me={me} />;
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('That did not work')} />}
        {/* Keepers of passwords look for whose it is. */}
        <input type="hidden" name="email" autoComplete="username" value={email ?? ''} readOnly />
        {kind === 'password' && <PasswordField value={text} onChange={setText} error={errors.password} />}
        {kind === 'code' && <CodeField value={text} onChange={setText} error={errors.code} />}
        {kind !== null && (
          <Button type="submit" loading={isBusy}>
            {t('Go on')}
          </Button>
        )}
        {mayShowPasskey && (
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<Icon name="key" />}
            onClick={() => void run(askPasskey)}
          >
            {t('Show a passkey')}
          </Button>
        )}
      </Stack>
    </form>
  );
}
