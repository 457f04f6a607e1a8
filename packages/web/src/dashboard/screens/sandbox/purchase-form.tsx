import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordSandboxPurchaseMutation } from '../../../client/@tanstack/react-query.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { currencies } from '../../../ui/currencies.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatMoney, parseAmount } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';

/** Records one purchase by a creator's code. */
export function PurchaseForm() {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const groups = useQuery(groupsOptions(publisherId));
  const { mutate, data, variables, error, isPending } = useMutation({
    ...recordSandboxPurchaseMutation(),
    async onSuccess() {
      announce(t('The purchase is recorded'));
      await queryClient.invalidateQueries();
    },
  });
  const [code, setCode] = useState('');
  const [typed, setTyped] = useState('');
  const [currency, setCurrency] = useState('USD');
  const [groupId, setGroupId] = useState('');
  const subtotalMinor = parseAmount(typed, currency);
  const isGood = code.trim() !== '' && subtotalMinor !== null && /^[1-9]\d{0,15}$/.test(subtotalMinor);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isGood || isPending) return;
        mutate({
          path: { publisherId },
          body: {
            code: code.trim(),
            subtotalMinor,
            currency: currency as never,
            ...(groupId !== '' && { groupId }),
          },
        });
      }}
    >
      <Stack gap="sm">
        {error !== null && <ErrorNotice error={error} />}
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('Code')}
            value={code}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => setCode(value)}
          />
          <TextInput
            label={t('Amount')}
            value={typed}
            inputMode="decimal"
            w={140}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <NativeSelect
            label={t('Currency')}
            data={[...currencies]}
            value={currency}
            w={100}
            onChange={({ currentTarget: { value } }) => setCurrency(value)}
          />
          <NativeSelect
            label={t('Creator group')}
            data={[
              { value: '', label: t('The default one') },
              ...(groups.data ?? []).map((group) => ({ value: group.groupId, label: group.name })),
            ]}
            value={groupId}
            onChange={({ currentTarget: { value } }) => setGroupId(value)}
          />
          <Button type="submit" loading={isPending} disabled={!isGood}>
            {t('Record')}
          </Button>
        </Group>
        {data !== undefined && variables !== undefined && (
          <Text size="sm" role="status">
            {t('{amount} by {code} is recorded, made', {
              amount: formatMoney(variables.body.subtotalMinor, variables.body.currency),
              code: variables.body.code,
            })}{' '}
            <When at={data.transactionDate} precision="second" />:{' '}
            <ScreenLink isInText screen="transactions" query={{ open: data.transactionId }}>
              {t('what it earned, and why')}
            </ScreenLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}
