import type pg from 'pg';
import type { Attempt, Journal, RecordedRow, SentRow } from './journal.ts';
import { getTransaction, type Target } from './load.ts';

interface SavedRow {
  transaction_id: string;
  split_index: number;
  description: string;
  subtotal: number;
}

export async function contradictions(client: pg.Client, journal: Journal): Promise<string[]> {
  const { rows: saved } = await client.query<SavedRow>(`
    select transaction_id, split_index, description, subtotal_minor::float8 as subtotal
    from attribution
    order by transaction_id, split_index`);
  const attempts = new Map(journal.attempts.map((attempt) => [attempt.tag, attempt]));
  const purchases = Map.groupBy(saved, (row) => row.transaction_id);
  const found: string[] = [];

  for (const [transactionId, rows] of purchases) {
    const owner = attempts.get(rows[0]?.description ?? '');
    if (owner === undefined) found.push(`${transactionId} is saved, but no client sent it`);
    else if (!sameRows(rows, sentRows(owner, transactionId)))
      found.push(`${transactionId} is not saved as ${owner.tag} sent it: ${JSON.stringify(rows)}`);
  }
  for (const attempt of journal.attempts) {
    const ids = new Set(attempt.rows.map(({ transactionId }) => transactionId));
    const own = [...ids].filter((id) => purchases.get(id)?.[0]?.description === attempt.tag);
    if (own.length !== 0 && own.length !== ids.size)
      found.push(`${attempt.tag} is partly saved: ${own.length} of ${ids.size} purchases`);
    if (attempt.outcome === 'saved' && own.length === 0)
      found.push(`${attempt.tag} was acknowledged but is lost`);
    if (attempt.outcome === 'refused' && own.length > 0)
      found.push(`${attempt.tag} was refused but is saved`);
  }
  return found;
}

/**
 * Reads every acknowledged purchase back over HTTP.
 * @returns purchases that differ from their response
 */
export async function differences(journal: Journal, target: Target): Promise<string[]> {
  const answered = journal.attempts.flatMap(({ answer }) => {
    const byId = Map.groupBy(answer ?? [], ({ transactionId }) => transactionId);
    return [...byId];
  });
  const found: string[] = [];
  const [url = ''] = target.urls();
  const reader = async (): Promise<void> => {
    for (let next = answered.pop(); next !== undefined; next = answered.pop()) {
      const [transactionId, rows] = next;
      const saved: RecordedRow[] | null = await getTransaction(target, transactionId, url);
      if (JSON.stringify(saved?.map(asRecorded)) !== JSON.stringify(rows.map(asRecorded)))
        found.push(
          `${transactionId} was acknowledged as ${JSON.stringify(rows)}, but is saved as ${JSON.stringify(saved)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: 16 }, reader));
  return found;
}

const sentRows = (attempt: Attempt, transactionId: string): SentRow[] =>
  attempt.rows.filter((row) => row.transactionId === transactionId);

const sameRows = (saved: SavedRow[], sent: SentRow[]): boolean =>
  saved.length === sent.length &&
  saved.every(
    (row, index) =>
      row.split_index === index &&
      row.subtotal === sent[index]?.subtotal &&
      row.description === sent[index]?.description,
  );

/** Removes the fields that posting and payouts change later. */
function asRecorded(row: RecordedRow): object {
  const { memberShareAmount, memberSharePercent, memberPaid, ...recorded } = row as RecordedRow &
    Record<string, unknown>;
  return recorded;
}
