import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Me } from '../../client/types.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { supportsPasskeys } from '../../ui/passkey.ts';
import { t } from '../../ui/text.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { callAuth } from './auth.ts';
import { codeError, passwordError } from './field-errors.ts';
import { CodeField, PasswordField } from './fields.tsx';
import { NoConfirmationMethod } from './no-confirmation-method.tsx';
import { signInWithPasskey } from './passkey.ts';

/** Form that lets a signed-in person confirm their identity with a password, code or passkey. */
export function ConfirmForm({ me, onConfirmed }: { me: Me; onConfirmed(): void }) {
  const { ways, email } = me;
  const kind = ways.password ? 'password' : ways.codes ? 'code' : null;
  const { error, isBusy, run } = useAttempt();
  const [text, setText] = useState('');
  const { errors, check } = useFormErrors({
    password: kind === 'password' ? passwordError(text) : null,
    code: kind === 'code' ? codeError(text) : null,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (kind !== null && check(event.currentTarget))
      void run(async () => {
        await callAuth(`/me/confirm-${kind}`, { [kind]: text });
        onConfirmed();
      });
  };
  const askPasskey = async (): Promise<void> => {
    if (await signInWithPasskey()) onConfirmed();
  };
  const offersPasskey = ways.passkeys > 0 && supportsPasskeys();
  if (kind === null && !offersPasskey) return <NoConfirmationMethod me={me} />;
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t confirm it’s you')} />}
        {/* Password managers need the user name. */}
        <input type="hidden" name="email" autoComplete="username" value={email ?? ''} readOnly />
        {kind === 'password' && <PasswordField value={text} onChange={setText} error={errors.password} />}
        {kind === 'code' && <CodeField value={text} onChange={setText} error={errors.code} />}
        {kind !== null && (
          <Button type="submit" loading={isBusy}>
            {t('Continue')}
          </Button>
        )}
        {offersPasskey && (
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<Icon name="key" />}
            onClick={() => void run(askPasskey)}
          >
            {t('Use passkey')}
          </Button>
        )}
      </Stack>
    </form>
  );
}
