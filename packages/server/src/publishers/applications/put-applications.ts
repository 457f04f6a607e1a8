import { createHash } from 'node:crypto';
import type { Facts } from '../../audit/record-change.ts';
import { readMoment } from '../../platform/database/moment.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../changing-program.ts';
import type { ApplicationsInput } from './applications-input.ts';
import {
  type GroupApplications,
  type GroupTerms,
  noApplications,
  readApplications,
} from './read-applications.ts';

interface GroupToPut {
  publisherId: string;
  groupId: string;
}

/**
 * Changes a group's settings for applications. A changed text of the terms becomes their next version. Part of `putGroup`,
 * under the program's lock.
 * @returns the settings before and after, for the audit log; null if nothing changed
 * @throws Refusal InvalidInput for an open group without terms
 */
export async function putApplications(
  tx: ProgramTx,
  group: GroupToPut,
  input: ApplicationsInput,
): Promise<{ before: Facts; after: Facts } | null> {
  const { publisherId, groupId } = group;
  const before = (await readApplications(tx, publisherId, groupId)).get(groupId) ?? noApplications;
  const text = input.terms === undefined ? null : termsText(input.terms);
  const isNewText = text !== null && text !== before.terms?.text;
  const after: GroupApplications = {
    isOpen: input.open ?? before.isOpen,
    maxPending: input.maxPending ?? before.maxPending,
    reservedCodes: input.reservedCodes === undefined ? before.reservedCodes : folded(input.reservedCodes),
    terms: before.terms,
  };
  if (after.isOpen && after.terms === null && !isNewText)
    throw new Refusal('InvalidInput', 'applicants accept terms, so add terms before you open the group', {
      path: ['applications', 'terms'],
    });
  if (!isNewText && JSON.stringify(factsOf(before)) === JSON.stringify(factsOf(after))) return null;
  if (isNewText) after.terms = await addTerms(tx, group, text);
  const columns = {
    is_open: after.isOpen,
    max_pending: after.maxPending,
    reserved_codes: after.reservedCodes,
    terms_version: after.terms?.version ?? null,
  };
  await tx
    .insertInto('group_applications')
    .values({ publisher_id: publisherId, group_id: groupId, ...columns })
    .onConflict((conflict) => conflict.columns(['publisher_id', 'group_id']).doUpdateSet(columns))
    .execute();
  return { before: factsOf(before), after: factsOf(after) };
}

/** Returns the text with line feeds only and without surrounding space, so that editors don't create versions. */
function termsText(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim();
  if (text === '')
    throw new Refusal('InvalidInput', 'must contain text', { path: ['applications', 'terms'] });
  return text;
}

const folded = (codes: readonly string[]): string[] =>
  [...new Set(codes.map((code) => code.toLowerCase()))].sort();

/** Adds the next version of a group's terms. Versions are numbered from 1 without gaps. */
async function addTerms(
  tx: ProgramTx,
  { publisherId, groupId }: GroupToPut,
  text: string,
): Promise<GroupTerms> {
  const last = await tx
    .selectFrom('group_terms')
    .select('version')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  const terms: GroupTerms = {
    version: (last?.version ?? 0) + 1,
    text,
    sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
    createdAt: await readMoment(tx),
  };
  await tx
    .insertInto('group_terms')
    .values({
      publisher_id: publisherId,
      group_id: groupId,
      version: terms.version,
      body: text,
      sha256: terms.sha256,
      created_at: terms.createdAt,
    })
    .execute();
  return terms;
}

/** Returns the settings for the audit log. The version and its hash stand for the text, which is kept. */
const factsOf = ({ isOpen, maxPending, reservedCodes, terms }: GroupApplications): Facts => ({
  open: isOpen,
  maxPending,
  reservedCodes,
  terms: terms && `version ${terms.version}, SHA-256 ${terms.sha256}`,
});
