import { firstDayOf, lastDayOf, zoneOfRange } from '../../ui/dates/zoned-days.ts';
import { preferences } from '../../ui/preferences.ts';
import type { Query } from '../../ui/query-string.ts';
import { t } from '../../ui/text.ts';
import { actionInWords } from '../screens/audit/action-words.ts';
import { statusChoices } from '../screens/transactions/status-names.ts';

const labels = (): Readonly<Record<string, string>> => ({
  group: t('Group'),
  id: t('Purchase ID'),
  code: t('Code'),
  creator: t('Creator'),
  payout: t('Payout'),
  status: t('Status'),
  origin: t('Origin'),
  from: t('First day'),
  until: t('Last day'),
  currency: t('Currency'),
  sort: t('Sort by'),
  balanceIn: t('Highest balance in'),
  hide: t('Hidden columns'),
  tab: t('Tab'),
  q: t('Search'),
  tier: t('Tier'),
  tag: t('Tag'),
  state: t('Status'),
  owing: t('They owe you'),
  waiting: t('Only clawbacks not yet deducted'),
  keyId: t('Key'),
  operation: t('Operation'),
  each: t('Each request'),
  credits: t('Credits purchases'),
  sentCode: t('Creator code'),
  actorKind: t('Actor'),
  actorId: t('Actor'),
  action: t('Action'),
  target: t('Target'),
});

/** Describes filters, sort order and hidden columns in one line. */
export const describeQuery = (query: Query): string => partsOf(query) ?? t('All rows, all columns');

/** Describes the filters of an export in one line. */
export const describeFilters = (query: Query): string => partsOf(query) ?? t('None, all rows');

function partsOf(query: Query): string | null {
  const all = labels();
  const zone = zoneOfRange(query, preferences().zone);
  const parts = Object.entries(all).flatMap(([name, label]) => {
    const value = query[name];
    if (value === undefined || value === '') return [];
    if (name === 'owing' && value === 'false') return [t('You owe them')];
    if (name === 'from') return [`${label}: ${firstDayOf(query, zone)}`];
    if (name === 'until') return [`${label}: ${lastDayOf(query, zone)}`];
    if (name === 'action') return [`${label}: ${actionInWords(value)}`];
    if (name === 'status') return [`${label}: ${statusText(value)}`];
    return value === 'true' || value === 'yes' ? [label] : [`${label}: ${textOf(value)}`];
  });
  return parts.length === 0 ? null : parts.join(' · ');
}

/** Returns the name of a choice of the filter by status, or of each of its statuses. */
const statusText = (value: string): string =>
  statusChoices()[value] ??
  value
    .split(',')
    .map((each) => statusChoices()[each] ?? each)
    .join(', ');

/** Returns a value as text: a list with spaces. */
const textOf = (value: string): string => value.replaceAll(',', ', ');
