import type { Connector } from '../../../../client/types.gen.ts';

type Settings = Connector['settings'];

export const codeFieldOf = ({ codeField: name = 'creator_code' }: Settings): string => name;
export const playerFieldOf = ({ playerField: name = 'player_id' }: Settings): string => name;

/** Events of an event destination at Stripe, one per line. */
export const stripeEvents = ({ stripeSales }: Settings): string =>
  [
    ...(stripeSales === 'payment_intent'
      ? ['payment_intent.succeeded']
      : ['checkout.session.completed', 'checkout.session.async_payment_succeeded']),
    ...['refund.created', 'refund.updated', 'refund.failed'],
    ...['charge.dispute.created', 'charge.dispute.closed'],
  ].join('\n');

export const stripeSnippet = (settings: Settings): string =>
  settings.stripeSales === 'payment_intent'
    ? `metadata: {
  ${codeFieldOf(settings)}: 'ALICE', // the code that the buyer entered
  ${playerFieldOf(settings)}: 'player-7',
  tax: '201',
},`
    : `metadata: {
  ${codeFieldOf(settings)}: 'ALICE', // the code that the buyer entered
  ${playerFieldOf(settings)}: 'player-7',
},`;

export const relaySnippet = (address: string): string =>
  `// In your webhook handler, after its own work. \`raw\` is the body as it arrived.
fetch('${address}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    authorization: request.headers.authorization,
  },
  body: raw,
}).catch(() => undefined);`;

export const xsollaSnippet = (settings: Settings): string =>
  `"custom_parameters": { "${codeFieldOf(settings)}": "ALICE" }`;

/** Event in the format for one's own shop. */
export const ownEvent = `{
  "id": "evt-1",
  "type": "order.paid",
  "time": "2026-05-02T12:00:00Z",
  "order": {
    "id": "order-100",
    "creatorCode": "ALICE",
    "playerId": "player-7",
    "subtotal": 999,
    "total": 1200,
    "currency": "USD"
  }
}`;

export const paddleEvents = `transaction.completed
adjustment.created
adjustment.updated`;

export const fastspringEvents = `order.completed
return.created`;

/** Request that names an order before it is paid. */
export const orderSnippet = ({ connectorId }: Pick<Connector, 'connectorId'>): string =>
  `curl -X PUT ${window.location.origin}/v1/connectors/${connectorId}/orders/ORDER_ID \\
  -H "X-SHARED-SECRET: $KEY" -H 'content-type: application/json' \\
  -d '{"code":"ALICE","playerId":"player-7"}'`;
