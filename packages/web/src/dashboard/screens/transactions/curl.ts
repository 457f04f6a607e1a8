/** Records a purchase; it works when the key and a code of one's own are put in. */
export const recordCurl = (origin: string): string =>
  [
    `curl ${origin}/v1/attributions/transactions \\`,
    "  -H 'x-shared-secret: YOUR_SECRET_KEY' -H 'content-type: application/json' \\",
    `  -d '{"transactionId":"order-1","code":"A_CREATORS_CODE","description":"Battle pass",`,
    `       "subtotal":999,"currency":"USD","transactionDate":"2026-01-31T12:00:00Z"}'`,
  ].join('\n');
