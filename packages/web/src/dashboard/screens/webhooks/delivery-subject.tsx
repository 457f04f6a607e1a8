import type { WebhookDelivery } from '../../../client/types.gen.ts';
import { unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { ScreenLink } from '../../screen-link.tsx';

/** Link to the purchase, creator, payout or group that an event is about. */
export function DeliverySubject({ subject }: { subject: WebhookDelivery['subject'] }) {
  if (subject === null) return unknown;
  const { kind, id, name } = subject;
  switch (kind) {
    case 'transaction':
      return (
        <ScreenLink screen="transactions" query={{ open: id }}>
          {id}
        </ScreenLink>
      );
    case 'creator':
      return (
        <ScreenLink screen="creators" query={{ open: id }}>
          {name ?? id}
        </ScreenLink>
      );
    case 'payout':
      return (
        <ScreenLink screen={`payouts/${id}`}>
          {name === null ? t('Payout') : t('Payout {number}', { number: name })}
        </ScreenLink>
      );
    case 'group':
      return (
        <ScreenLink screen="shares" query={{ group: id }}>
          {name ?? id}
        </ScreenLink>
      );
  }
}
