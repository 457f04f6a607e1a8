import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { confirmWithCode } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useComplete } from '../../ui/use-complete.ts';
import { CodeField, lackOfCode } from '../session/fields.tsx';
import { useAttempt } from '../session/use-attempt.ts';

/** Shows a code of the second factor in a sign-in that had none. */
export function ShowCode({ onShown }: { onShown(): Promise<void> }) {
  const { error, isBusy, run } = useAttempt();
  const [code, setCode] = useState('');
  const { errors, check } = useComplete({ code: lackOfCode(code) });
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
        {error !== null && <ErrorNotice error={error} title={t('The code was not taken')} />}
        <Stack align="flex-start" gap="sm">
          <CodeField value={code} onChange={setCode} error={errors.code} />
          <Button type="submit" loading={isBusy}>
            {t('Show it')}
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
