import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { confirmWithCode } from '../../client/sdk.gen.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';

/** Shows a code of the second factor in a sign-in that had none. */
export function ShowCode({ onShown }: { onShown(): Promise<void> }) {
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const show = async ({ code }: { code: string }): Promise<void> => {
    setError(null);
    try {
      await confirmWithCode({ body: { code }, throwOnError: true });
      await onShown();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <form onSubmit={form.onSubmit(show)}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('The code was not taken')} />}
        <Group align="flex-end">
          <TextInput
            label={t('Code of your application, or a spare code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
          <Button type="submit" loading={form.submitting}>
            {t('Show it')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
