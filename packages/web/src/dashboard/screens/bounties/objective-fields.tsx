import { Fieldset, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { currencies } from '../../../ui/currencies.ts';
import { MoneyInput, WholeInput } from '../../../ui/number-input.tsx';
import { t } from '../../../ui/text.ts';
import { countBounds, isOfMoney, type ObjectiveDraft } from './bounty-draft.ts';
import { RemovePart } from './remove-part.tsx';

interface ObjectiveFieldsProps {
  objective: ObjectiveDraft;
  place: number;
  isOff: boolean;
  onChange(changes: Partial<ObjectiveDraft>): void;
  /** Null for the only objective, which can't be removed. */
  onRemove: (() => void) | null;
}

export function ObjectiveFields({ objective, place, isOff, onChange, onRemove }: ObjectiveFieldsProps) {
  const { name, type, condition, count, currency, eventCode, skuText, locked } = objective;
  const isFixed = isOff || locked !== null;
  const isAmount = isOfMoney(objective);
  const number = {
    value: count,
    bounds: countBounds,
    disabled: isFixed,
    onChange: (typed: string) => onChange({ count: typed }),
  };
  return (
    <Fieldset legend={t('Objective {place}', { place })}>
      <Stack gap="sm">
        {locked !== null && (
          <Text size="sm" c="dimmed">
            {locked.reason}
          </Text>
        )}
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={255}
          disabled={isOff}
          onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label={t('Objective type')}
            disabled={isFixed}
            data={[
              { value: 'Purchase', label: t('Purchases') },
              { value: 'NewPlayers', label: t('New players') },
              { value: 'Event', label: t('Custom events') },
            ]}
            value={type}
            onChange={({ currentTarget: { value } }) => onChange({ type: value as ObjectiveDraft['type'] })}
          />
          {type === 'Purchase' && (
            <NativeSelect
              label={t('Measure')}
              disabled={isFixed}
              data={[
                { value: 'Count', label: t('Number of purchases') },
                { value: 'Amount', label: t('Total amount') },
              ]}
              value={condition}
              onChange={({ currentTarget: { value } }) =>
                onChange({ condition: value as ObjectiveDraft['condition'] })
              }
            />
          )}
          {isAmount ? (
            <MoneyInput label={t('Amount')} currency={currency} {...number} />
          ) : (
            <WholeInput label={t('Count')} {...number} />
          )}
          {type !== 'Event' && (
            <NativeSelect
              label={t('Currency')}
              disabled={isFixed}
              data={[{ value: '', label: isAmount ? t('Choose a currency') : t('Any') }, ...currencies]}
              value={currency}
              onChange={({ currentTarget: { value } }) => onChange({ currency: value })}
            />
          )}
          {type === 'Event' && (
            <TextInput
              label={t('Event code')}
              description={t('As sent by your back end.')}
              value={eventCode}
              maxLength={255}
              disabled={isFixed}
              onChange={({ currentTarget: { value } }) => onChange({ eventCode: value })}
            />
          )}
        </SimpleGrid>
        {type !== 'Event' && (
          <Textarea
            label={t('Only these SKUs')}
            description={t('One per line. Leave empty for all SKUs.')}
            value={skuText}
            autosize
            minRows={1}
            maxRows={8}
            disabled={isFixed}
            onChange={({ currentTarget: { value } }) => onChange({ skuText: value })}
          />
        )}
        {!isOff && <RemovePart label={t('Remove objective {place}', { place })} onRemove={onRemove} />}
      </Stack>
    </Fieldset>
  );
}
