import { Alert, Group, Text } from '@mantine/core';
import type { PayeeMethod, PayeeMethodKind } from '../../client/types.gen.ts';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { t } from '../../ui/text.ts';
import { When } from '../../ui/when.tsx';

export function kindWord(kind: PayeeMethodKind): string {
  switch (kind) {
    case 'paypal':
      return 'PayPal';
    case 'wise-email':
      return t('Wise, by email');
    case 'sepa':
      return t('Bank account (SEPA)');
  }
}

const toneOf: Readonly<Record<PayeeMethod['state'], Tone>> = {
  Waiting: 'waiting',
  New: 'running',
  Usable: 'good',
  Ended: 'over',
};

export function stateWord(state: PayeeMethod['state']): string {
  switch (state) {
    case 'Waiting':
      return t('Needs approval');
    case 'New':
      return t('New');
    case 'Usable':
      return t('In use');
    case 'Ended':
      return t('No longer used');
  }
}

export const MethodState = ({ state }: Pick<PayeeMethod, 'state'>) => (
  <StatusBadge tone={toneOf[state]}>{stateWord(state)}</StatusBadge>
);

/**
 * Payout method with its state, the people who entered and approved it, and a warning if other creators have the same
 * account.
 */
export function MethodNote({ method }: { method: PayeeMethod }) {
  const {
    kind,
    hint,
    state,
    enteredBy,
    enteredAt,
    approvedBy,
    usableFrom,
    endedAt,
    endedReason,
    isAccountDeleted,
  } = method;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {kindWord(kind)} · {hint}
        </Text>
        <MethodState state={state} />
      </Group>
      <Text size="xs" c="dimmed">
        {t('entered by {name},', { name: enteredBy.name })} <When at={enteredAt} />
        {approvedBy !== null &&
          ` · ${approvedBy.kind === 'service' ? t('confirmed with an emailed code') : t('approved by {name}', { name: approvedBy.name })}`}
        {state === 'New' && usableFrom !== null && (
          <>
            {' · '}
            {t('used for payouts from')} <When at={usableFrom} />
          </>
        )}
        {endedAt !== null && (
          <>
            {' · '}
            {t('ended')} <When at={endedAt} />
            {endedReason !== null && `: ${endedReason}`}
            {isAccountDeleted && ` · ${t('account deleted')}`}
          </>
        )}
      </Text>
      {state !== 'Ended' && method.sharedWith.length > 0 && (
        <Alert color="yellow" mt="xs" icon={<Icon name="alert" />}>
          {t('Also entered for {names}. Check whether they are the same person.', {
            names: method.sharedWith.map(({ name }) => name).join(', '),
          })}
        </Alert>
      )}
    </div>
  );
}
