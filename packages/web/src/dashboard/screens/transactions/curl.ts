export interface CurlFacts {
  /** URL of this installation, without a trailing slash. */
  origin: string;
  /** Key, or the variable that holds it, such as `$KEY`. */
  key: string;
  /** Approved creator's code in `groupId`. */
  code: string;
  groupId: string;
  nowMs: number;
  /** True to record the purchase with the status Test. Such a purchase never earns a payout. */
  isTest: boolean;
}

/** Returns the ID of the purchase that the command records. */
export const transactionIdIn = ({ nowMs, isTest }: Pick<CurlFacts, 'nowMs' | 'isTest'>): string =>
  `${isTest ? 'test' : 'order'}-${Math.floor(nowMs / 1_000)}`;

/** Returns a command for sh that records a purchase. Each field is on a line of its own. */
export function recordCurl({ origin, key, code, groupId, nowMs, isTest }: CurlFacts): string {
  const body = JSON.stringify(
    {
      transactionId: transactionIdIn({ nowMs, isTest }),
      transactionDate: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
      code,
      description: 'Battle pass',
      subtotal: 999,
      currency: 'USD',
      ...(isTest && { status: 'Test' }),
    },
    null,
    2,
  )
    .replaceAll('\n', '\n  ')
    .replaceAll("'", String.raw`'\''`);
  return [
    `curl -sS '${origin}/v1/attributions/transactions?groupId=${encodeURIComponent(groupId)}' \\`,
    `  -H "X-SHARED-SECRET: ${key}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
