import { Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { beginTwoFactor, finishTwoFactor, removeTwoFactor } from '../../client/sdk.gen.ts';
import { announce } from '../../ui/announce.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { QrCode } from './qr-code.tsx';

interface CodesProps {
  isSetUp: boolean;
  hasPassword: boolean;
  onChange(): Promise<void>;
}

interface Begun {
  uri: string;
  spareCodes: readonly string[];
}

/** Sets up an application that makes codes, or does without it. */
export function Codes({ isSetUp, hasPassword, onChange }: CodesProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  if (begun !== null)
    return (
      <Finish
        begun={begun}
        onDone={async () => {
          setBegun(null);
          announce(t('The second factor is set up'));
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
    announce(t('The second factor is gone'));
    await onChange();
  };
  return (
    <>
      <Text size="sm">
        {t('An app on your phone shows six digits, which are asked for after your password.')}
      </Text>
      <WithPassword
        hasPassword={hasPassword}
        action={isSetUp ? t('Do without it') : t('Set it up')}
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
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const submit = async ({ password }: { password: string }): Promise<void> => {
    setError(null);
    try {
      await onSubmit(password);
      form.reset();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Nothing was changed')} />}
        <Group align="flex-end">
          {hasPassword && (
            <PasswordInput
              label={t('Your password')}
              autoComplete="current-password"
              required
              miw={220}
              visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
          )}
          <Button type="submit" variant={isDangerous ? 'default' : 'filled'} loading={form.submitting}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Finish({ begun: { uri, spareCodes }, onDone }: { begun: Begun; onDone(): Promise<void> }) {
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const finish = async ({ code }: { code: string }): Promise<void> => {
    setError(null);
    try {
      await finishTwoFactor({ body: { code }, throwOnError: true });
      await onDone();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <form onSubmit={form.onSubmit(finish)}>
      <Stack>
        <Text>{t('1. Scan this with the app, or type its secret there.')}</Text>
        <Group align="center">
          <QrCode text={uri} label={t('The secret as a QR code')} />
          <Stack gap={4}>
            <Code tabIndex={0}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
            <CopyButton value={secret} label={t('Copy the secret')} withLabel />
          </Stack>
        </Group>
        <Text>
          {t('2. Keep these spare codes where your phone is not. Each works once; they are not shown again.')}
        </Text>
        <Code block tabIndex={0}>
          {spareCodes.join('\n')}
        </Code>
        <Group>
          <CopyButton value={spareCodes.join('\n')} label={t('Copy the spare codes')} withLabel />
        </Group>
        <TextInput
          label={t('3. Type the code that the app shows')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          maw={280}
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        {error !== null && <ErrorNotice error={error} title={t('The code was not taken')} />}
        <Group>
          <Button type="submit" loading={form.submitting}>
            {t('Finish')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
