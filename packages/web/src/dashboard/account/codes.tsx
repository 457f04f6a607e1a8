import { Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { beginTwoFactor, finishTwoFactor, removeTwoFactor } from '../../client/sdk.gen.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { codeError, passwordError } from '../session/field-errors.ts';

interface CodesProps {
  isSetUp: boolean;
  hasPassword: boolean;
  onChange(): Promise<void>;
}

interface Enrollment {
  uri: string;
  spareCodes: readonly string[];
}

export function Codes({ isSetUp, hasPassword, onChange }: CodesProps) {
  const [begun, setBegun] = useState<Enrollment | null>(null);
  if (begun !== null)
    return (
      <Finish
        begun={begun}
        onDone={async () => {
          setBegun(null);
          toast(t('Authenticator app set up'));
          await onChange();
        }}
      />
    );
  const change = async (password: string): Promise<void> => {
    const body = hasPassword ? { password } : {};
    if (!isSetUp) {
      const { data } = await beginTwoFactor({ body, throwOnError: true });
      setBegun(data);
      return;
    }
    await removeTwoFactor({ body, throwOnError: true });
    toast(t('Authenticator app removed'));
    await onChange();
  };
  return (
    <>
      <Text size="sm">
        {t('An app on your phone shows a six-digit code that you enter after your password.')}
      </Text>
      <WithPassword
        hasPassword={hasPassword}
        action={isSetUp ? t('Remove authenticator app') : t('Set up authenticator app')}
        isDangerous={isSetUp}
        onSubmit={change}
      />
    </>
  );
}

interface WithPasswordProps {
  hasPassword: boolean;
  action: string;
  isDangerous: boolean;
  onSubmit(password: string): Promise<void>;
}

function WithPassword({ hasPassword, action, isDangerous, onSubmit }: WithPasswordProps) {
  const { error, isBusy, run } = useAttempt();
  const [password, setPassword] = useState('');
  const { errors, check, reset } = useFormErrors({ password: hasPassword ? passwordError(password) : null });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await onSubmit(password);
      setPassword('');
      reset();
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t change the authenticator app')} />}
        <Stack align="flex-start" gap="sm">
          {hasPassword && (
            <PasswordInput
              label={t('Your password')}
              name="password"
              autoComplete="current-password"
              required
              miw={220}
              visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
              value={password}
              error={errors.password}
              onChange={({ currentTarget: { value } }) => setPassword(value)}
            />
          )}
          <Button type="submit" variant={isDangerous ? 'default' : 'filled'} loading={isBusy}>
            {action}
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}

function Finish({ begun: { uri, spareCodes }, onDone }: { begun: Enrollment; onDone(): Promise<void> }) {
  const { error, isBusy, run } = useAttempt();
  const [code, setCode] = useState('');
  const { errors, check } = useFormErrors({ code: codeError(code) });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const finish = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await finishTwoFactor({ body: { code }, throwOnError: true });
      await onDone();
    });
  };
  return (
    <form noValidate onSubmit={finish}>
      <Stack>
        <Text>{t('1. Scan this code with the app, or enter the secret.')}</Text>
        <Group align="center">
          <QrCode text={uri} label={t('The secret as a QR code')} />
          <Stack gap={4}>
            <Code tabIndex={0}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
            <CopyButton value={secret} label={t('Copy secret')} withLabel />
          </Stack>
        </Group>
        <Text>
          {t(
            '2. Store these recovery codes somewhere other than your phone. Each works once, and they aren’t shown again.',
          )}
        </Text>
        <Code block tabIndex={0}>
          {spareCodes.join('\n')}
        </Code>
        <Group>
          <CopyButton value={spareCodes.join('\n')} label={t('Copy recovery codes')} withLabel />
        </Group>
        <TextInput
          label={t('3. Enter the code that the app shows')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          maw={280}
          value={code}
          error={errors.code}
          onChange={({ currentTarget: { value } }) => setCode(value)}
        />
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t verify the code')} />}
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('Finish setup')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
