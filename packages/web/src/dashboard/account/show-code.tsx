import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { confirmWithCode } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { codeError } from '../session/field-errors.ts';
import { CodeField } from '../session/fields.tsx';

/** Asks for a second-factor code in a session that started without a second factor. */
export function ShowCode({ onShown }: { onShown(): Promise<void> }) {
  const { error, isBusy, run } = useAttempt();
  const [code, setCode] = useState('');
  const { errors, check } = useFormErrors({ code: codeError(code) });
  const show = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void run(async () => {
      await confirmWithCode({ body: { code }, throwOnError: true });
      await onShown();
    });
  };
  return (
    <form noValidate onSubmit={show}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t verify the code')} />}
        <Stack align="flex-start" gap="sm">
          <CodeField value={code} onChange={setCode} error={errors.code} />
          <Button type="submit" loading={isBusy}>
            {t('Verify code')}
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
