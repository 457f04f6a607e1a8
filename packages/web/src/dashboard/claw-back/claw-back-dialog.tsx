import { Alert, Button, Group, List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clawBackMutation, listRowsToClawBackOptions } from '../../client/@tanstack/react-query.gen.ts';
import type { PaidRow, RowsToClawBack } from '../../client/types.gen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { MoneyInput } from '../../ui/number-input.tsx';
import { amountText, readAmount } from '../../ui/read-number.ts';
import { LateSkeleton } from '../../ui/skeletons.tsx';
import { msg, t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { TypedTotalInput, typedAmount } from '../../ui/typed-total.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { usePublisher } from '../session/session.ts';

interface ClawBackDialogProps {
  /** Id of the purchase, or of one of its rows; null while the dialog is closed. */
  transactionId: string | null;
  onClose(): void;
}

/** Claws back the shares of a paid purchase after listing the amounts and asking for a reason and the total. */
export function ClawBackDialog({ transactionId, onClose }: ClawBackDialogProps) {
  return (
    <Dialog
      opened={transactionId !== null}
      onClose={onClose}
      title={t('Claw back {transaction}?', { transaction: transactionId ?? '' })}
      data-confirm
    >
      {transactionId !== null && <Rows transactionId={transactionId} onClose={onClose} />}
    </Dialog>
  );
}

function Rows({ transactionId, onClose }: { transactionId: string; onClose(): void }) {
  const { publisherId } = usePublisher();
  const query = useQuery({
    ...listRowsToClawBackOptions({ path: { publisherId }, query: { transaction: transactionId } }),
    staleTime: 0,
  });
  if (query.data === undefined)
    return query.error === null ? (
      <LateSkeleton lines={4} />
    ) : (
      <ErrorNotice
        error={query.error}
        title={t('Couldn’t load the purchase')}
        missing={t('Purchase not found')}
        onRetry={() => void query.refetch()}
      />
    );
  const can = query.data.rows.filter(({ verdict }) => verdict === 'can');
  if (can.length === 0) return <Cannot rows={query.data.rows} onClose={onClose} />;
  return <Question purchase={query.data} can={can} onClose={onClose} />;
}

const refusals: Readonly<Record<PaidRow['verdict'], string>> = {
  can: '',
  'not paid': msg('isn’t paid. Reverse the purchase instead.'),
  'in a payout': msg('is in an unpaid payout. Cancel the payout, or wait until it’s paid.'),
  'went back': msg('was already clawed back.'),
};

function Cannot({ rows, onClose }: { rows: readonly PaidRow[]; onClose(): void }) {
  return (
    <Stack>
      <Alert color="accent" title={t('Nothing can be clawed back')}>
        <List size="sm">
          {rows.map(({ rowId, name, verdict }) => (
            <List.Item key={rowId}>{`${name}: ${t(refusals[verdict])}`}</List.Item>
          ))}
        </List>
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('Close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface QuestionProps {
  purchase: RowsToClawBack;
  can: readonly PaidRow[];
  onClose(): void;
}

const statuses = ['Refund', 'Chargeback', 'Fraud'] as const;

const boundsOf = ({ shareMinor }: PaidRow) => ({ min: 1n, max: BigInt(shareMinor) });

/** Returns the typed amount; null if it can't be clawed back. A row that was paid nothing has no field. */
const readPart = (row: PaidRow, typed: string): bigint | null =>
  BigInt(row.shareMinor) === 0n ? 0n : readAmount(typed, row.currency, boundsOf(row)).value;

function Question({ purchase: { transactionId }, can, onClose }: QuestionProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const clawBack = useMutation(clawBackMutation());
  const [status, setStatus] = useState<(typeof statuses)[number]>('Refund');
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<readonly string[]>([]);
  const currency = can[0]?.currency ?? '';
  const [amounts, setAmounts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(can.map(({ rowId, shareMinor }) => [rowId, amountText(shareMinor, currency)])),
  );
  const readings = can.map((row) => ({ row, minor: readPart(row, amounts[row.rowId] ?? '') }));
  const isValid = readings.every(({ minor }) => minor !== null);
  const totalMinor = String(readings.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n));
  const parts = readings.flatMap(({ row, minor }) =>
    minor === null || minor === BigInt(row.shareMinor)
      ? []
      : [{ row: row.rowId, amountMinor: String(minor) }],
  );
  const total = typedAmount(totalMinor, currency);
  const isTyped = isValid && total.isTyped(typed);
  const settle = useUnsaved({ status, reason, amounts });
  // Closing may change the URL, which would bring up the unsaved-changes question.
  const leave = (): void => {
    settle();
    onClose();
  };
  const confirm = async (): Promise<void> => {
    const { rows } = await clawBack.mutateAsync({
      path: { publisherId },
      body: {
        transactionId,
        rows: can.map(({ rowId }) => rowId),
        ...(parts.length > 0 && { amounts: parts }),
        status,
        totalMinor,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
    });
    await queryClient.invalidateQueries();
    const messages = rows.flatMap(({ message }) => message ?? []);
    setFailed(messages);
    if (messages.length > 0) return;
    toast(
      t('{total} clawed back for purchase {transactionId}', {
        total: formatMoney(totalMinor, currency),
        transactionId,
      }),
    );
    leave();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (isTyped && !clawBack.isPending) void confirm().catch(() => undefined);
      }}
    >
      <Stack>
        <Text size="sm">
          {t(
            'Each creator’s next payout is reduced by this amount. Anything left stays as a negative balance.',
          )}
        </Text>
        {can.map((row) =>
          BigInt(row.shareMinor) === 0n ? (
            <Text key={row.rowId} size="sm">
              {row.name}: <Money minor="0" currency={currency} />
            </Text>
          ) : (
            <MoneyInput
              key={row.rowId}
              label={t('Amount from {name} in {currency}', { name: row.name, currency })}
              description={t('Up to {left}.', { left: formatMoney(row.shareMinor, currency) })}
              name={`amount-${row.rowId}`}
              value={amounts[row.rowId] ?? ''}
              bounds={boundsOf(row)}
              currency={currency}
              onChange={(value) => setAmounts({ ...amounts, [row.rowId]: value })}
            />
          ),
        )}
        <Radio.Group
          label={t('Reason')}
          value={status}
          onChange={(value) => setStatus(statuses.find((each) => each === value) ?? 'Refund')}
        >
          <Group mt={4}>
            {statuses.map((each) => (
              <Radio key={each} value={each} label={each} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput
          label={t('Note')}
          description={t('Stored in the audit log.')}
          value={reason}
          maxLength={2_000}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <TypedTotalInput
          total={total}
          value={typed}
          onChange={setTyped}
          afterward={t('If you keep the buyer’s money after all, you can reinstate the purchase.')}
        />
        {clawBack.error !== null && (
          <ErrorNotice error={clawBack.error} title={t('Couldn’t claw back the purchase')} />
        )}
        {failed.length > 0 && (
          <Alert color="red" role="alert" title={t('Some transactions couldn’t be clawed back')}>
            {failed.join(' ')}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('Cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!isTyped} loading={clawBack.isPending}>
            {t('Claw back {total}', { total: formatMoney(totalMinor, currency) })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
