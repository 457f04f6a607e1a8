import { holdTransaction } from '../../../client/sdk.gen.ts';
import type { TransactionDetail } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { HoldDialog } from '../../holds/hold-dialog.tsx';
import { usePublisher } from '../../session/session.ts';
import { holdable } from './holdable.ts';

/** Dialog that keeps a purchase, or one of its rows, out of payouts. */
export function HoldPurchase({ detail, onClose }: { detail: TransactionDetail; onClose(): void }) {
  const { publisherId } = usePublisher();
  const { transactionId } = detail;
  const rows = holdable(detail);
  return (
    <HoldDialog
      opened
      title={t('Hold {transaction}?', { transaction: transactionId })}
      about={t('Payouts skip this purchase until the hold ends or is released. It can still be reversed.')}
      choices={{
        label: t('Transaction'),
        data: [
          { value: '', label: t('All transactions') },
          ...rows.map(({ row, explanation }) => ({
            value: row.attributionId,
            label: `${row.creator.name}, ${formatMoney(explanation.shareMinor, explanation.currency)}`,
          })),
        ].slice(rows.length > 1 ? 0 : 1),
      }}
      place={(terms, row) =>
        holdTransaction({
          path: { publisherId, transactionId },
          body: { ...terms, ...(row !== '' && { rows: [row] }) },
          throwOnError: true,
        })
      }
      onClose={onClose}
    />
  );
}
