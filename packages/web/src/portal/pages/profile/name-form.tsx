import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeName } from '../../../client/portal/sdk.gen.ts';
import type { CreatorAccount } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { useFormErrors } from '../../../ui/use-form-errors.ts';
import { Failing } from '../../failing.tsx';
import { accountsQuery, usePublisher } from '../../publisher.ts';

/** Form for the name that the publisher and players see. @param accounts the creator's accounts at the publisher */
export function NameForm({ accounts }: { accounts: readonly CreatorAccount[] }) {
  const { publisherId, name: publisher } = usePublisher();
  const client = useQueryClient();
  const [name, setName] = useState(accounts[0]?.name ?? '');
  const [isSaved, setSaved] = useState(false);
  const saving = useAttempt();
  const { errors, check } = useFormErrors({ name: name.trim() === '' ? t('Name is required.') : null });
  const others = new Set(
    accounts.flatMap(({ publishers }) =>
      publishers.filter((each) => each.publisherId !== publisherId).map((each) => each.name),
    ),
  );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSaved(false);
    if (!check(event.currentTarget)) return;
    void saving.run(async () => {
      const query = { publisher: publisherId };
      const { data } = await changeName({ query, body: { name: name.trim() }, throwOnError: true });
      setName(data.name);
      await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
      setSaved(true);
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {saving.error !== null && <Failing error={saving.error} title={t('Nothing was changed')} />}
        <TextInput
          label={t('Creator name')}
          name="name"
          size="md"
          description={t('{publisher} and players see it.', { publisher })}
          maxLength={255}
          value={name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => {
            setSaved(false);
            setName(value);
          }}
        />
        {accounts.length > 1 && (
          <Text size="sm">
            {t('This name is used for all {count} of your creator accounts there.', {
              count: accounts.length,
            })}
          </Text>
        )}
        {others.size > 0 && (
          <Text size="sm">
            {t('It also changes at {publishers}.', { publishers: [...others].join(', ') })}
          </Text>
        )}
        {isSaved && <Alert role="status">{t('Your name is saved.')}</Alert>}
        <Button type="submit" size="md" loading={saving.isBusy}>
          {t('Save name')}
        </Button>
      </Stack>
    </form>
  );
}
