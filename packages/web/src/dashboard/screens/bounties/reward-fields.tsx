import { Fieldset, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { currencies } from '../../../ui/currencies.ts';
import { MoneyInput } from '../../../ui/number-input.tsx';
import { t } from '../../../ui/text.ts';
import { countBounds, type RewardDraft } from './bounty-draft.ts';
import { RemovePart } from './remove-part.tsx';

interface RewardFieldsProps {
  reward: RewardDraft;
  place: number;
  isOff: boolean;
  onChange(changes: Partial<RewardDraft>): void;
  /** Null for the only reward, which can't be removed. */
  onRemove: (() => void) | null;
}

export function RewardFields({ reward, place, isOff, onChange, onRemove }: RewardFieldsProps) {
  const { name, type, amount, currency, skuId, skuName, externalId, locked } = reward;
  const isFixed = isOff || locked !== null;
  const text = (field: keyof RewardDraft) => ({
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ [field]: value }),
  });
  return (
    <Fieldset legend={t('Reward {place}', { place })}>
      <Stack gap="sm">
        {locked !== null && (
          <Text size="sm" c="dimmed">
            {locked.reason}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('Name')} value={name} maxLength={255} disabled={isOff} {...text('name')} />
          <NativeSelect
            label={t('Type')}
            disabled={isFixed}
            data={[
              { value: 'External', label: t('Delivered by you') },
              { value: 'Payment', label: t('Money in the next payout') },
              { value: 'Sku', label: t('SKU') },
            ]}
            value={type}
            onChange={({ currentTarget: { value } }) => onChange({ type: value as RewardDraft['type'] })}
          />
          {type === 'Payment' && (
            <>
              <MoneyInput
                label={t('Amount')}
                value={amount}
                bounds={countBounds}
                currency={currency}
                disabled={isFixed}
                onChange={(typed) => onChange({ amount: typed })}
              />
              <NativeSelect
                label={t('Currency')}
                disabled={isFixed}
                data={[{ value: '', label: t('Choose a currency') }, ...currencies]}
                value={currency}
                {...text('currency')}
              />
            </>
          )}
          {type === 'Sku' && (
            <>
              <TextInput label={t('SKU')} value={skuId} disabled={isFixed} {...text('skuId')} />
              <TextInput label={t('SKU name')} value={skuName} disabled={isOff} {...text('skuName')} />
            </>
          )}
          <TextInput
            label={t('ID in your catalog')}
            description={t('Optional. Included in the webhook event.')}
            value={externalId}
            maxLength={255}
            disabled={isOff}
            {...text('externalId')}
          />
        </SimpleGrid>
        {!isOff && <RemovePart label={t('Remove reward {place}', { place })} onRemove={onRemove} />}
      </Stack>
    </Fieldset>
  );
}
