import { Alert, Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../ui/text.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { CodeInput, codeIn, isComplete } from './code-input.tsx';
import { CreatorPage } from './creator-page.tsx';
import { Failing } from './failing.tsx';

interface EmailedCodeProps {
  title: string;
  /** Address that the code was sent to. */
  email: string;
  /** Number of minutes for which the code works. */
  minutes: number;
  /** Title of the error if the code isn't accepted. */
  failure: string;
  /** Description of what the code confirms; absent for a sign-in. */
  children?: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  onConfirm(code: string): Promise<void>;
  onSendAgain(): Promise<unknown>;
  /** Label of the button that goes back, and what it does. */
  back: { label: string; onBack(): void };
}

/** Form for an emailed code, which works only in the browser that requested it. */
export function EmailedCode(props: EmailedCodeProps) {
  const { title, email, minutes, failure, children, action, onConfirm, onSendAgain, back } = props;
  const [code, setCode] = useState('');
  const [isSentAgain, setSentAgain] = useState(false);
  const confirming = useAttempt();
  const sending = useAttempt();
  const { errors, check } = useFormErrors({
    code: isComplete(code) ? null : t('Enter the eight letters and digits of the code.'),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (check(event.currentTarget)) void confirming.run(() => onConfirm(codeIn(code)));
  };
  const sendAgain = (): void => {
    setSentAgain(false);
    void sending.run(async () => {
      await onSendAgain();
      setSentAgain(true);
    });
  };
  return (
    <CreatorPage title={title}>
      <form noValidate onSubmit={submit}>
        <Stack>
          {children}
          <Text style={{ overflowWrap: 'anywhere' }}>
            {t('We sent an email to {email}. Enter the code from it here.', { email })}
          </Text>
          {confirming.error !== null && <Failing error={confirming.error} title={failure} />}
          <CodeInput
            label={t('Code')}
            name="code"
            autoComplete="one-time-code"
            error={errors.code}
            value={code}
            onChange={setCode}
          />
          <Button type="submit" size="md" loading={confirming.isBusy}>
            {action}
          </Button>
          <Text c="dimmed" size="sm" mt="md">
            {t(
              'The email may take a minute, and may be in your spam folder. The code works for {minutes} minutes.',
              {
                minutes,
              },
            )}
          </Text>
          {sending.error !== null && <Failing error={sending.error} />}
          {isSentAgain && (
            <Alert role="status">{t('We sent another email. Earlier codes still work.')}</Alert>
          )}
          <Button variant="default" size="md" loading={sending.isBusy} onClick={sendAgain}>
            {t('Send another code')}
          </Button>
          <Button variant="default" size="md" onClick={back.onBack}>
            {back.label}
          </Button>
        </Stack>
      </form>
    </CreatorPage>
  );
}
