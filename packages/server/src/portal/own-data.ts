import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import {
  checkConfirmation,
  createConfirmation,
  type OwnDataAction,
  readConfirmedUntil,
  useUpConfirmation,
} from './confirmations.ts';

/** Session of a person who downloads or erases what is stored about them. */
export interface ConfirmingSession {
  sessionId: string;
  /** Secret that hashes codes. */
  secret: Buffer;
  now: Date;
}

/** Creates the code that confirms a download or an erasure. */
export const createOwnDataCode = (
  db: Db,
  session: ConfirmingSession,
  ownData: OwnDataAction,
): Promise<string> => createConfirmation(db, { ...session, change: { ownData } });

/**
 * Checks the code of an erasure.
 * @returns a function that uses the code up in the commit of the request
 * @throws Refusal InvalidInput
 */
export async function checkErasureCode(
  db: Db,
  session: ConfirmingSession,
  code: string,
): Promise<(tx: Tx) => Promise<void>> {
  const checked = await checkConfirmation(db, { ...session, code, change: { ownData: 'erase' } });
  return (tx) => useUpConfirmation(tx, checked, session.now);
}

/**
 * Lets the session download the file for some minutes, so that a download that breaks off can be repeated.
 * @returns end of that time
 * @throws Refusal InvalidInput
 */
export async function allowDownload(db: Db, session: ConfirmingSession, code: string): Promise<Date> {
  const checked = await checkConfirmation(db, { ...session, code, change: { ownData: 'download' } });
  await inTransaction(db, (tx) => useUpConfirmation(tx, checked, session.now));
  const until = await readConfirmedUntil(db, { ...session, change: { ownData: 'download' } });
  if (until === null) throw new Error('a code that was just used allows nothing');
  return until;
}

/** @throws Refusal Forbidden unless the session entered a code for the download in the last minutes */
export async function requireDownloadAllowed(db: Db, session: ConfirmingSession): Promise<void> {
  if ((await readConfirmedUntil(db, { ...session, change: { ownData: 'download' } })) === null)
    throw new Refusal(
      'Forbidden',
      'Downloading your data needs an emailed code. Open “Your data” in the portal, and request one.',
    );
}
