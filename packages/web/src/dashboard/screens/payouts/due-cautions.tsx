import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GroupPreview, PreviewTotals } from '../../../client/types.gen.ts';
import { HintLine } from '../../../ui/hint-line.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { i18n, t } from '../../../ui/text.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { Caution } from './caution.tsx';
import { OwingNote } from './owing-note.tsx';

type Previewed = Pick<GroupPreview, 'groupId' | 'name' | 'totals' | 'membersWithoutMethod'>;

interface DueCautionsProps {
  /** Previews of the groups that the screen shows. */
  previews: readonly Previewed[];
  /** Totals of the screen, by currency. */
  totals: readonly PreviewTotals[];
  asOf: string;
}

/**
 * Lines to read before payouts are created, each as short as possible: creators who owe money, creators without a payout
 * method, and currencies without a minimum.
 */
export function DueCautions({ previews, totals, asOf }: DueCautionsProps) {
  return (
    <Stack gap={2}>
      <OwingNote totals={totals} />
      <WithoutMethod previews={previews} asOf={asOf} />
      <WithoutMinimum previews={previews} />
    </Stack>
  );
}

function WithoutMethod({ previews, asOf }: Omit<DueCautionsProps, 'totals'>) {
  const found = previews.filter(({ membersWithoutMethod }) => membersWithoutMethod > 0);
  const [first] = found;
  if (first === undefined) return null;
  const text = t(
    '{count, plural, one {# creator with an amount due has} other {# creators with amounts due have}} no payout method and won’t be in payment files.',
    { count: found.reduce((sum, { membersWithoutMethod }) => sum + membersWithoutMethod, 0) },
  );
  return (
    <Caution>
      {found.length === 1 ? (
        <>
          {text}{' '}
          <ScreenLink screen="payouts" query={{ group: first.groupId, asOf, method: 'none' }} isInText>
            {t('Show them')}
          </ScreenLink>
        </>
      ) : (
        <HintLine about={t('Creators without a payout method')} text={text}>
          <Lines
            previews={found}
            line={({ groupId, name, membersWithoutMethod }) => (
              <ScreenLink screen="payouts" query={{ group: groupId, asOf, method: 'none' }} isInText>
                {t('{group}: {count}', { group: name, count: formatCount(membersWithoutMethod) })}
              </ScreenLink>
            )}
          />
        </HintLine>
      )}
    </Caution>
  );
}

/** Amount in minor units below which a payment is small. Minor units are worth more nearly the same than major units. */
const smallMinor = 500n;

function WithoutMinimum({ previews }: { previews: readonly Previewed[] }) {
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
  if (previews.length === 1)
    return (
      <Caution>
        {t('No minimum payout in {currencies} (smallest due: {amounts}).', {
          currencies: wordsOf(first),
          amounts: first.without
            .map(({ currency, smallestDueMinor }) => formatMoney(smallestDueMinor, currency))
            .join(', '),
        })}{' '}
        {may('program') && (
          <ScreenLink screen="settings" query={{ open: first.groupId }} isInText>
            {t('Set minimums')}
          </ScreenLink>
        )}
      </Caution>
    );
  return (
    <Caution>
      <HintLine
        about={t('Currencies without a minimum payout')}
        text={t('Some currencies have no minimum payout, so even small amounts are due.')}
      >
        <Lines
          previews={found}
          line={(preview) => {
            const text = t('{group}: {currencies}', { group: preview.name, currencies: wordsOf(preview) });
            return may('program') ? (
              <ScreenLink screen="settings" query={{ open: preview.groupId }} isInText>
                {text}
              </ScreenLink>
            ) : (
              text
            );
          }}
        />
      </HintLine>
    </Caution>
  );
}

/** Number of groups that a hint names. */
const maxNamed = 8;

function Lines<Each extends Previewed>({
  previews,
  line,
}: {
  previews: readonly Each[];
  line(preview: Each): ReactNode;
}) {
  const more = previews.length - maxNamed;
  return (
    <>
      {previews.slice(0, maxNamed).map((each) => (
        <div key={each.groupId}>{line(each)}</div>
      ))}
      {more > 0 && <div>{t('and {more, plural, one {# more group} other {# more groups}}', { more })}</div>}
    </>
  );
}
