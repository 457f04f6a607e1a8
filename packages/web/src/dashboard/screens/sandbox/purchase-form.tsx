import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordSandboxPurchaseMutation } from '../../../client/@tanstack/react-query.gen.ts';
import { currencies } from '../../../ui/currencies.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { MoneyInput } from '../../../ui/number-input.tsx';
import { readAmount } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';

/** Bounds of a purchase's subtotal, in minor units. */
const bounds = { min: 1n, max: 10n ** 16n - 1n };

export function PurchaseForm() {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const groups = useQuery(groupsOptions(publisherId));
  const { mutate, data, variables, error, isPending } = useMutation({
    ...recordSandboxPurchaseMutation(),
    async onSuccess(_data, { body }) {
      toast(
        t('Purchase of {total} with the code {code} recorded', {
          total: formatMoney(body.subtotalMinor, body.currency),
          code: body.code,
        }),
      );
      await queryClient.invalidateQueries();
    },
  });
  const [code, setCode] = useState('');
  const [typed, setTyped] = useState('');
  const [currency, setCurrency] = useState('USD');
  const [groupId, setGroupId] = useState('');
  const subtotal = readAmount(typed, currency, bounds).value;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() === '' || subtotal === null || isPending) return;
        mutate({
          path: { publisherId },
          body: {
            code: code.trim(),
            subtotalMinor: String(subtotal),
            currency: currency as never,
            ...(groupId !== '' && { groupId }),
          },
        });
      }}
    >
      <Stack gap="sm">
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t record the purchase')} />}
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('Code')}
            value={code}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => setCode(value)}
          />
          <MoneyInput
            label={t('Amount')}
            value={typed}
            bounds={bounds}
            currency={currency}
            w={140}
            onChange={setTyped}
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
              { value: '', label: t('Default group') },
              ...(groups.data ?? []).map((group) => ({ value: group.groupId, label: group.name })),
            ]}
            value={groupId}
            onChange={({ currentTarget: { value } }) => setGroupId(value)}
          />
          <Button type="submit" loading={isPending} disabled={code.trim() === '' || subtotal === null}>
            {t('Record purchase')}
          </Button>
        </Group>
        {data !== undefined && variables !== undefined && (
          <Text size="sm" role="status">
            {t('Recorded {amount} with the code {code} at', {
              amount: formatMoney(variables.body.subtotalMinor, variables.body.currency),
              code: variables.body.code,
            })}{' '}
            <When at={data.transactionDate} precision="second" />:{' '}
            <ScreenLink isInText screen="transactions" query={{ open: data.transactionId }}>
              {t('View earnings')}
            </ScreenLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}
