import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { MailBlock } from '../../platform/mail/mail-content.ts';
import { formatMinorUnits, groupDigits } from '../../platform/money.ts';
import { remindDays } from '../../settlement/gates/ending-clearances.ts';
import type { Sums } from '../../settlement/read-totals.ts';
import { maxShown } from '../attention/find-attention.ts';
import { periodBefore } from '../schedule/local-time.ts';
import type { DigestSubject } from '../subjects.ts';
import { type Content, daysText, dayText, pageUrl, plural, timeText } from './content.ts';
import type { DigestFacts } from './digest-facts.ts';

interface Reader {
  /** Subjects of this digest that the reader may see. */
  subjects: readonly DigestSubject[];
  timeZone: string;
  /** Number of payouts waiting for this reader as the second person or, for a channel, for any second person. */
  awaitingCount: number;
  isChannel: boolean;
  origin: string;
}

/** Maximum number of currencies, groups and endpoints in a digest. The linked screens show all of them. */
const maxListed = 10;
const maxOperations = 5;
/** Age above which unposted purchases need attention, as on the Overview screen. */
const longUnpostedMs = 60_000;

/** Writes a digest. @returns null if there is nothing to report on the reader's subjects */
export function writeDigest(facts: DigestFacts, reader: Reader): Content | null {
  const inOrder = sectionOrder.filter((subject) => reader.subjects.includes(subject));
  const blocks = inOrder.flatMap((subject) => sections[subject](facts, reader));
  if (blocks.length === 0) return null;
  const { publisherId, publisherName, frequency, period } = facts;
  return {
    subject: `${publisherName}: ${frequency === 'daily' ? 'your day' : 'your week'}, ${daysText(period, true)}`,
    blocks,
    link: {
      label: 'Open Overview',
      url: pageUrl(reader.origin, publisherId, `overview?from=${period.from}&until=${period.until}`),
    },
  };
}

/** Order of a digest's sections. Sections that must not be overlooked come before the figures. */
const sectionOrder = [
  'ledger',
  'webhooks',
  'money',
  'creators',
  'payouts',
  'requests',
] as const satisfies readonly DigestSubject[];

type Section = (facts: DigestFacts, reader: Reader) => MailBlock[];

const sections: Readonly<Record<DigestSubject, Section>> = {
  money({ money, period, frequency }) {
    const found = [...new Set([...money.now.keys(), ...money.before.keys()])].sort();
    // Currencies with the most purchases come first.
    const currencies = found.sort((one, other) => rowsOf(money, other) - rowsOf(money, one));
    if (currencies.length === 0) return [];
    const columns = [
      daysText(period),
      frequency === 'daily' ? daysText(periodBefore(period)) : 'Week before',
    ].map((title) => ({ title, isNumber: true as const }));
    return [
      { heading: 'Purchases and shares' },
      `UTC days, excluding test purchases. ${frequency === 'daily' ? 'Compared with the day before.' : 'Compared with the seven days before.'}`,
      ...currencies.slice(0, maxListed).map((currency) => ({
        table: {
          columns: [{ title: currency }, ...columns],
          rows: moneyRows(currency, money.now.get(currency), money.before.get(currency)),
        },
      })),
      ...moreThan(currencies.length, 'currency', 'currencies'),
    ];
  },

  creators({ attention: { applicants }, groupNames }) {
    if (applicants.length === 0) return [];
    return [
      { heading: 'Creators waiting for approval' },
      {
        facts: applicants
          .slice(0, maxListed)
          .map(({ groupId, memberCount }) => [
            groupNames.get(groupId) ?? groupId,
            memberCount >= maxShown ? `${maxShown} or more` : String(memberCount),
          ]),
      },
      ...moreThan(applicants.length, 'group', 'groups'),
    ];
  },

  payouts(
    {
      attention: { due, overdue, unpaidPayouts, returnedLines, endingClearances, disputedPayees },
      groupNames,
    },
    { awaitingCount, isChannel },
  ) {
    const groups = [...new Set(due.map(({ groupId }) => groupId))];
    const facts: [string, string][] = overdue
      .slice(0, maxListed)
      .map(({ groupId, plannedFor, overdueSince }) => [
        `Overdue in ${groupNames.get(groupId) ?? groupId}`,
        `Planned for ${dayText(plannedFor)}, overdue since ${dayText(overdueSince)}`,
      ]);
    const dues = groups.slice(0, maxListed).map((groupId): [string, string] => [
      `Due in ${groupNames.get(groupId) ?? groupId}`,
      due
        .filter((each) => each.groupId === groupId)
        .map(({ currency }) => currency)
        .join(', '),
    ]);
    facts.push(...dues);
    if (unpaidPayouts > 0) facts.push(['Created, not marked as paid', groupDigits(String(unpaidPayouts))]);
    if (returnedLines > 0)
      facts.push(['Failed or returned, to be paid again', groupDigits(String(returnedLines))]);
    if (disputedPayees > 0)
      facts.push([
        'Payout methods that creators didn’t change themselves',
        disputedPayees >= maxShown ? `${maxShown} or more` : String(disputedPayees),
      ]);
    if (endingClearances > 0)
      facts.push([
        `Tax clearances that end within ${remindDays} days`,
        endingClearances >= maxShown ? `${maxShown} or more` : String(endingClearances),
      ]);
    if (awaitingCount > 0)
      facts.push([
        isChannel ? 'Waiting for a second person' : 'Waiting for you',
        groupDigits(String(awaitingCount)),
      ]);
    if (facts.length === 0) return [];
    return [{ heading: 'Payouts' }, { facts }, ...moreThan(groups.length, 'group', 'groups')];
  },

  webhooks({ attention: { endpoints }, endpointUrls }, { timeZone }) {
    if (endpoints.length === 0) return [];
    return [
      { heading: 'Webhook endpoints' },
      {
        facts: endpoints
          .slice(0, maxListed)
          .map((endpoint) => [
            urlInAudit(endpointUrls.get(endpoint.endpointId) ?? endpoint.endpointId),
            stateOfEndpoint(endpoint, timeZone),
          ]),
      },
      ...moreThan(endpoints.length, 'endpoint', 'endpoints'),
    ];
  },

  requests({ requests, frequency }) {
    const refused = requests.filter(({ rejected }) => rejected > 0);
    if (refused.length === 0) return [];
    const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
    const rejected = sum(refused.map((each) => each.rejected));
    const all = rejected + sum(requests.map((each) => each.accepted));
    const operations = [...Map.groupBy(refused, ({ method, route }) => `${method} ${route}`)]
      .map(([operation, each]) => ({ operation, count: sum(each.map((one) => one.rejected)) }))
      .sort((one, other) => other.count - one.count);
    return [
      { heading: 'Rejected requests' },
      `Rejected in the last ${frequency === 'daily' ? '24 hours' : '7 days'}: ${groupDigits(String(rejected))} of ${plural(all, 'request', 'requests')}.`,
      {
        table: {
          columns: [{ title: 'Operation' }, { title: 'Rejected', isNumber: true }],
          rows: operations
            .slice(0, maxOperations)
            .map(({ operation, count }) => [operation, groupDigits(String(count))]),
        },
      },
    ];
  },

  ledger({ attention: { ledgerUnsoundSince, unpostedSince }, now }, { timeZone }) {
    const facts: [string, string][] = [];
    if (ledgerUnsoundSince !== null)
      facts.push(['Unexplained discrepancy', `Found on ${timeText(ledgerUnsoundSince, timeZone)}`]);
    if (unpostedSince !== null && now.getTime() - unpostedSince.getTime() > longUnpostedMs)
      facts.push(['Purchases waiting to be posted', `Since ${timeText(unpostedSince, timeZone)}`]);
    return facts.length === 0 ? [] : [{ heading: 'Ledger' }, { facts }];
  },
};

function stateOfEndpoint(
  { failingSince, disabledReason, overdueSince }: DigestFacts['attention']['endpoints'][number],
  timeZone: string,
): string {
  if (disabledReason !== null) return `Off: ${disabledReason}`;
  if (failingSince !== null) return `Failing since ${timeText(failingSince, timeZone)}`;
  return overdueSince === null ? '' : `Deliveries overdue since ${timeText(overdueSince, timeZone)}`;
}

const rowsOf = ({ now }: DigestFacts['money'], currency: string): number =>
  Number(now.get(currency)?.rowCount ?? 0n);

const moreThan = (count: number, one: string, many: string): MailBlock[] =>
  count <= maxListed ? [] : [`And ${plural(count - maxListed, `more ${one}`, `more ${many}`)}.`];

const zero: Sums = {
  rowCount: 0n,
  grossMinor: 0n,
  shareMinor: 0n,
  reversedCount: 0n,
  reversedGrossMinor: 0n,
  reversedShareMinor: 0n,
};

function moneyRows(currency: string, now: Sums = zero, before: Sums = zero): string[][] {
  const amount = (minor: bigint): string => groupDigits(formatMinorUnits(minor, currency));
  const count = (rows: bigint): string => groupDigits(String(rows));
  // The change is next to the name, because four columns don't fit on a phone screen.
  const row = (name: string, is: bigint, was: bigint, write: (value: bigint) => string): string[] => [
    `${name}${changeText(is, was)}`,
    write(is),
    write(was),
  ];
  return [
    row('Purchases', now.rowCount, before.rowCount, count),
    row('Gross', now.grossMinor, before.grossMinor, amount),
    row('Shares', now.shareMinor, before.shareMinor, amount),
    ...(now.reversedCount === 0n && before.reversedCount === 0n
      ? []
      : [
          row('Reversed purchases', now.reversedCount, before.reversedCount, count),
          row('Reversed amount', now.reversedGrossMinor, before.reversedGrossMinor, amount),
        ]),
  ];
}

/** Returns the change in percent, to one decimal place; empty if there is no change or no earlier value. */
function changeText(now: bigint, before: bigint): string {
  if (now === before || before === 0n) return '';
  const tenths = ((now - before) * 1_000n) / before;
  const size = tenths < 0n ? -tenths : tenths;
  return ` (${now > before ? '+' : '−'}${groupDigits(String(size / 10n))}.${size % 10n}%)`;
}
