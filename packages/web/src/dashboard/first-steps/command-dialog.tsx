import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getFirstStepsQueryKey, listTransactionsOptions } from '../../client/@tanstack/react-query.gen.ts';
import type { TransactionRow } from '../../client/types.gen.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { t } from '../../ui/text.ts';
import { useScreenLink } from '../screen-link.tsx';
import { usePublisher } from '../session/session.ts';

export interface Command {
  text: string;
  key: string;
  /** ID of the purchase that the command records. */
  transactionId: string;
  /** True for the command that records the publisher's first purchase. */
  isFirst: boolean;
}

interface CommandDialogProps {
  /** Null while the dialog is closed. */
  command: Command | null;
  onClose(): void;
}

/** Dialog with a command and its key, which are shown once. Waits for the purchase that the command records. */
export function CommandDialog({ command, onClose }: CommandDialogProps) {
  const purchase = useArrival(command?.transactionId ?? null);
  return (
    <ShownOnce
      title={t('Run this command in a terminal')}
      secret={command?.text ?? null}
      isCommand
      warning={t('The key is shown only once')}
      advice={t('It’s in the command. Copy the key as well if you want to use it again.')}
      copy={
        <>
          <CopyButton value={command?.key ?? ''} label={t('Copy key')} withLabel />
          <CopyButton
            value={command?.text ?? ''}
            label={t('Copy command')}
            withLabel
            isMain={purchase === undefined}
          />
        </>
      }
      done={t('Done')}
      isDoneQuiet={purchase === undefined}
      onClose={onClose}
    >
      {t('Your back end can use this key, too. If you don’t need it, revoke it under Developers.')}
      <Group gap="xs" mt="xs" wrap="nowrap" align="flex-start" role="status">
        {purchase === undefined ? (
          <>
            <Loader size={16} mt={2} role="img" aria-label={t('Waiting')} />
            <Text size="sm">
              {command?.isFirst === false
                ? t('Waiting for the purchase…')
                : t('Waiting for your first purchase…')}
            </Text>
          </>
        ) : (
          <Recorded purchase={purchase} onShow={onClose} />
        )}
      </Group>
    </ShownOnce>
  );
}

interface RecordedProps {
  purchase: TransactionRow;
  /** Closes the dialog, which may be on the screen that the link opens. */
  onShow(): void;
}

function Recorded({ purchase, onShow }: RecordedProps) {
  const { transactionId, subtotalMinor, currency, creator } = purchase;
  const { href, onClick } = useScreenLink('transactions', { open: transactionId });
  return (
    <>
      <Text span c="green" mt={2} role="img" aria-label={t('Done')}>
        <Icon name="check" size={16} />
      </Text>
      <Text size="sm">
        <Text span inherit fw={600}>
          {t('Recorded {amount} with {creator}’s code.', {
            amount: formatMoney(subtotalMinor, currency),
            creator: creator.name,
          })}
        </Text>{' '}
        <Anchor
          inherit
          underline="always"
          href={href}
          onClick={(event) => {
            onClick(event);
            if (event.defaultPrevented) onShow();
          }}
        >
          {t('View purchase')}
        </Anchor>
      </Text>
    </>
  );
}

const pollMs = 2_000;

/** Returns a row of the purchase once it is recorded. */
function useArrival(transactionId: string | null): TransactionRow | undefined {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const path = { publisherId };
  const { data } = useQuery({
    ...listTransactionsOptions({
      path,
      query: { transactionId: transactionId ?? undefined, limit: 50 },
    }),
    enabled: transactionId !== null,
    refetchInterval: ({ state }) => ((state.data?.rows.length ?? 0) > 0 ? false : pollMs),
  });
  const purchase = transactionId === null ? undefined : data?.rows[0];
  const hasArrived = purchase !== undefined;
  // The first steps are checked off at once, instead of with their next poll.
  useEffect(() => {
    if (hasArrived)
      void client.invalidateQueries({ queryKey: getFirstStepsQueryKey({ path: { publisherId } }) });
  }, [hasArrived, client, publisherId]);
  return purchase;
}
