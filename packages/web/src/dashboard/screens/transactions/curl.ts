/** What a command that records a purchase is written with. */
export interface CurlFacts {
  /** Of this installation, without a slash at its end. */
  origin: string;
  /** The key itself, or the variable that has it: `$KEY`. */
  key: string;
  /** An approved creator's code and its group. */
  code: string;
  groupId: string;
  nowMs: number;
  /** Recorded with the status Test: nobody is paid for it. */
  isTest: boolean;
}

/** Records a purchase of this moment when it is pasted. */
export function recordCurl({ origin, key, code, groupId, nowMs, isTest }: CurlFacts): string {
  const body = JSON.stringify({
    transactionId: `${isTest ? 'test' : 'order'}-${Math.floor(nowMs / 1_000)}`,
    transactionDate: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    code,
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    ...(isTest && { status: 'Test' }),
  }).replaceAll("'", String.raw`'\''`);
  return [
    `curl -sS '${origin}/v1/attributions/transactions?groupId=${encodeURIComponent(groupId)}' \\`,
    `  -H "X-SHARED-SECRET: ${key}" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
