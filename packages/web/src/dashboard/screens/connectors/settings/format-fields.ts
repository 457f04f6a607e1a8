import type { GenericSettings } from '../../../../client/types.gen.ts';
import { msg, t } from '../../../../ui/text.ts';

export type FormatName = keyof GenericSettings;

/** Kinds of fields that are typed. Others are chosen from a list. */
type TextKind = 'text' | 'header' | 'signed' | 'pointer';

export interface FormatField {
  name: FormatName;
  label: string;
  about?: string;
  kind: TextKind | readonly (readonly [value: string, label: string])[];
}

interface FormatSection {
  title: string;
  about?: string;
  fields: readonly FormatField[];
}

const pointer = (name: FormatName, label: string, about?: string): FormatField => ({
  name,
  label,
  kind: 'pointer',
  ...(about !== undefined && { about }),
});

/** Settings of a shop's format, in the order of the form. */
export const formatSections: readonly FormatSection[] = [
  {
    title: msg('Signature'),
    fields: [
      { name: 'header', label: msg('Header'), kind: 'header', about: msg('Contains the signature.') },
      {
        name: 'algorithm',
        label: msg('Algorithm'),
        kind: [
          ['hmac-sha256', msg('HMAC-SHA256')],
          ['sha1-suffix', msg('SHA-1 of the body and the secret')],
        ],
      },
      {
        name: 'encoding',
        label: msg('Encoding'),
        kind: [
          ['hex', msg('Hexadecimal')],
          ['base64', msg('Base64')],
        ],
      },
      {
        name: 'signed',
        label: msg('Signed text'),
        kind: 'signed',
        about: msg('What the shop signs: the body, or a timestamp and the body.'),
      },
      {
        name: 'timeHeader',
        label: msg('Timestamp header'),
        kind: 'header',
        about: msg('Only if the signed timestamp isn’t in the signature’s header.'),
      },
    ],
  },
  {
    title: msg('Events'),
    about: msg('Below, most fields are JSON pointers into the body, such as /order/id.'),
    fields: [
      pointer('type', msg('Event type')),
      { name: 'sale', label: msg('Event type of a paid order'), kind: 'text' },
      { name: 'refund', label: msg('Event type of a refund'), kind: 'text' },
      pointer('id', msg('Event ID'), msg('If empty, the event type and the order ID identify an event.')),
      pointer('time', msg('Time')),
    ],
  },
  {
    title: msg('Order'),
    fields: [
      pointer('orderId', msg('Order ID')),
      pointer('code', msg('Creator code')),
      pointer('playerId', msg('Player ID')),
      pointer('transactionId', msg('Transaction ID'), msg('Only if your back end also records purchases.')),
      {
        name: 'units',
        label: msg('Unit of amounts'),
        kind: [
          ['minor', msg('Minor units: 999 is 9.99 USD')],
          ['major', msg('Major units: 9.99 is 9.99 USD')],
          ['hundredths', msg('Hundredths in every currency')],
        ],
      },
      pointer('currency', msg('Currency')),
      pointer('subtotal', msg('Subtotal'), msg('Amount without tax.')),
      pointer('total', msg('Total'), msg('What the buyer paid.')),
      pointer('tax', msg('Tax'), msg('Subtracted from the total if there is no subtotal.')),
    ],
  },
  {
    title: msg('Refund'),
    fields: [
      pointer('refundId', msg('Refund ID'), msg('If empty, an order can have only one refund.')),
      pointer(
        'refundAmount',
        msg('Refunded amount'),
        msg('Including tax. If empty, the whole order is refunded.'),
      ),
    ],
  },
  {
    title: msg('Items'),
    about: msg('Each item becomes a transaction. Pointers to an item’s values start at the item.'),
    fields: [
      pointer('items', msg('Items')),
      pointer('itemSku', msg('Item SKU')),
      pointer('itemName', msg('Item name')),
      pointer('itemPrice', msg('Item price')),
    ],
  },
  {
    title: msg('Tests'),
    fields: [
      pointer('test', msg('Test flag')),
      { name: 'testValue', label: msg('Flag value for tests'), kind: 'text' },
    ],
  },
];

export const formatFields: readonly FormatField[] = formatSections.flatMap(({ fields }) => fields);

export const maxLengthOf = ({ kind }: FormatField): number => (kind === 'pointer' ? 200 : 100);

/** Returns the problem with a typed value, and what to do; null if it is valid or empty. */
export function problemOfFormat({ kind }: FormatField, typed: string): string | null {
  if (typed === '') return null;
  if (kind === 'pointer' && !/^(\/[^/]+)+$/.test(typed))
    return t('Start with a slash, and separate names with slashes, as in {example}.', {
      example: '/order/id',
    });
  if (kind === 'header' && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(typed))
    return t('Enter only the header’s name, without spaces or a colon, as in {example}.', {
      example: 'X-Signature',
    });
  if (kind === 'signed' && !isSignedText(typed))
    return t('Use {body} exactly once, and {time} for the timestamp, as in {example}.', {
      ...{ body: '{body}', time: '{t}', example: '{t}.{body}' },
    });
  return null;
}

const isSignedText = (typed: string): boolean =>
  typed.split('{body}').length === 2 && !/[{}]/.test(typed.replace('{body}', '').replaceAll('{t}', ''));

/** Returns a value as the screens show it. */
export const shownFormat = ({ kind }: FormatField, value: string): string => {
  if (typeof kind === 'string') return value;
  const label = kind.find(([each]) => each === value)?.[1];
  return label === undefined ? value : t(label);
};
