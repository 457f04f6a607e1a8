import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listNamedAccountsOptions } from '../client/portal/@tanstack/react-query.gen.ts';
import { connectNamedAccount, refuseNamedAccount } from '../client/portal/sdk.gen.ts';
import type { NamedAccount } from '../client/portal/types.gen.ts';
import { t } from '../ui/text.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import { Failing } from './failing.tsx';
import { goTo } from './place.ts';
import { accountsQuery, rememberPublisher } from './publisher.ts';

/** Questions whether the creator accounts for which publishers name one of the person's channels are the person's. */
export function NamedAccounts() {
  const { data } = useQuery(listNamedAccountsOptions());
  return data?.rows.map((account) => <Question key={account.signInMethodId} account={account} />);
}

function Question({ account: { signInMethodId, name, provider, publishers } }: { account: NamedAccount }) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const answer = async (isOwn: boolean): Promise<void> => {
    const send = isOwn ? connectNamedAccount : refuseNamedAccount;
    await send({ path: { signInMethodId }, body: {}, throwOnError: true });
    const [first] = publishers;
    if (isOwn && first !== undefined) rememberPublisher(first.publisherId);
    await client.invalidateQueries({ queryKey: listNamedAccountsOptions().queryKey });
    await client.invalidateQueries({ queryKey: accountsQuery.queryKey });
    if (isOwn) goTo('/', { replaces: true });
  };
  const names = publishers.map((each) => each.name).join(', ');
  return (
    <Alert color="accent" title={t('Is {name} at {publishers} you?', { name, publishers: names })}>
      <Stack gap="sm">
        <Text size="sm">
          {t(
            'It’s listed with your {provider} account. If you connect it, you’ll see its codes and earnings, and {publishers} checks that it’s you before the first payout.',
            { provider, publishers: names },
          )}
        </Text>
        {error !== null && <Failing error={error} title={t('That didn’t work')} />}
        <Group gap="xs">
          <Button size="md" loading={isBusy} onClick={() => void run(() => answer(true))}>
            {t('Yes, connect it')}
          </Button>
          <Button size="md" variant="default" disabled={isBusy} onClick={() => void run(() => answer(false))}>
            {t('No, that isn’t me')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
