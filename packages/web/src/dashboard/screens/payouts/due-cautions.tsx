import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { GroupPreview } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { Caution } from './caution.tsx';

type Previewed = Pick<GroupPreview, 'groupId' | 'name' | 'totals' | 'membersWithoutMethod'>;

interface DueCautionsProps {
  /** Previews of the groups that the screen shows. */
  previews: readonly Previewed[];
  asOf: string;
}

/** Cautions before payouts are created: creators without a payout method, and currencies without a minimum. */
export function DueCautions({ previews, asOf }: DueCautionsProps) {
  const isOneGroup = previews.length === 1;
  return (
    <Stack gap={6}>
      <WithoutMethod previews={previews} asOf={asOf} isOneGroup={isOneGroup} />
      <WithoutMinimum previews={previews} isOneGroup={isOneGroup} />
    </Stack>
  );
}

function WithoutMethod({ previews, asOf, isOneGroup }: DueCautionsProps & { isOneGroup: boolean }) {
  const found = previews.filter(({ membersWithoutMethod }) => membersWithoutMethod > 0);
  if (found.length === 0) return null;
  return (
    <Caution>
      {t(
        '{count, plural, one {# creator who is} other {# creators who are}} due a payment {count, plural, one {has} other {have}} no payout method, so payment files leave {count, plural, one {it} other {them}} out.',
        { count: found.reduce((sum, { membersWithoutMethod }) => sum + membersWithoutMethod, 0) },
      )}{' '}
      <Groups
        previews={found}
        link={({ groupId, name, membersWithoutMethod }) => (
          <ScreenLink screen="payouts" query={{ group: groupId, asOf, method: 'none' }} isInText>
            {isOneGroup
              ? t('List them')
              : t('{group}: {count}', { group: name, count: membersWithoutMethod.toLocaleString() })}
          </ScreenLink>
        )}
      />
    </Caution>
  );
}

/** Amount in minor units below which a payment is small. Minor units are worth more nearly the same than major units. */
const smallMinor = 500n;

function WithoutMinimum({ previews, isOneGroup }: { previews: readonly Previewed[]; isOneGroup: boolean }) {
  const { publisherId, may } = usePublisher();
  const { data: groups } = useQuery(groupsOptions(publisherId));
  if (groups === undefined) return null;
  const found = previews.flatMap((preview) => {
    const minimums = groups.find(({ groupId }) => groupId === preview.groupId)?.payoutMinimums ?? [];
    const without = preview.totals.flatMap(({ currency, smallestDueMinor }) =>
      smallestDueMinor === null ||
      minimums.some((each) => each.currency === currency && each.amount !== '0') ||
      (minimums.length === 0 && BigInt(smallestDueMinor) >= smallMinor)
        ? []
        : [{ currency, smallestDueMinor }],
    );
    return without.length === 0 ? [] : [{ ...preview, without }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const wordsOf = ({ without }: typeof first): string =>
    new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(without.map(({ currency }) => currency));
  return (
    <Caution>
      {isOneGroup
        ? t('No minimum payout is set in {currencies}. Smallest amounts due: {amounts}.', {
            currencies: wordsOf(first),
            amounts: first.without
              .map(({ currency, smallestDueMinor }) => formatMoney(smallestDueMinor, currency))
              .join(', '),
          })
        : t('No minimum payout is set, so small amounts are due, too:')}{' '}
      <Groups
        previews={found}
        link={(preview) => {
          const text = isOneGroup
            ? may('program') && t('Set minimums')
            : t('{group}: {currencies}', { group: preview.name, currencies: wordsOf(preview) });
          return may('program') ? (
            <ScreenLink screen="settings" query={{ open: preview.groupId }} isInText>
              {text}
            </ScreenLink>
          ) : (
            text
          );
        }}
      />
    </Caution>
  );
}

/** Number of groups that a sentence names. */
const maxNamed = 4;

function Groups<Each extends Previewed>({
  previews,
  link,
}: {
  previews: readonly Each[];
  link(preview: Each): ReactNode;
}) {
  const more = previews.length - maxNamed;
  return (
    <>
      {previews.slice(0, maxNamed).map((each, index) => (
        <Fragment key={each.groupId}>
          {index > 0 && '; '}
          {link(each)}
        </Fragment>
      ))}
      {more > 0 && t('; and {more, plural, one {# more group} other {# more groups}}', { more })}
    </>
  );
}
