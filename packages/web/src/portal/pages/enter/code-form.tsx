import { Alert, Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { enterCode, requestCode } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { CodeInput, codeIn, isComplete } from '../../code-input.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';

interface CodeFormProps {
  email: string;
  onEntered(): void;
  /** Called to use another address. */
  onOther(): void;
}

/** Form for the emailed code, which works only in the browser that requested it. */
export function CodeForm({ email, onEntered, onOther }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [isSentAgain, setSentAgain] = useState(false);
  const entering = useAttempt();
  const sending = useAttempt();
  const { errors, check } = useFormErrors({
    code: isComplete(code) ? null : t('Enter the eight letters and digits of the code.'),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void entering.run(async () => {
      await enterCode({ body: { code: codeIn(code) }, throwOnError: true });
      onEntered();
    });
  };
  const sendAgain = (): void => {
    setSentAgain(false);
    void sending.run(async () => {
      await requestCode({ body: { email }, throwOnError: true });
      setSentAgain(true);
    });
  };
  return (
    <CreatorPage title={t('Enter your code')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {t('We sent an email to {email}. Enter the code from it here.', { email })}
          </Text>
          {entering.error !== null && <Failing error={entering.error} title={t('That didn’t work')} />}
          <CodeInput
            label={t('Code')}
            name="code"
            autoComplete="one-time-code"
            error={errors.code}
            value={code}
            onChange={setCode}
          />
          <Button type="submit" size="md" loading={entering.isBusy}>
            {t('Sign in')}
          </Button>
          <Text c="dimmed" size="sm" mt="md">
            {t('The email may take a minute, and may be in your spam folder. The code works for 15 minutes.')}
          </Text>
          {sending.error !== null && <Failing error={sending.error} />}
          {isSentAgain && (
            <Alert role="status">{t('We sent another email. Earlier codes still work.')}</Alert>
          )}
          <Button variant="default" size="md" loading={sending.isBusy} onClick={sendAgain}>
            {t('Send another code')}
          </Button>
          <Button variant="default" size="md" onClick={onOther}>
            {t('Use another address')}
          </Button>
        </Stack>
      </form>
    </CreatorPage>
  );
}
