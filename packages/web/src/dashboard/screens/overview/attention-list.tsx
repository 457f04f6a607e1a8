import { Box, Group, List, Paper, Text, Title } from '@mantine/core';
import { Icon } from '../../../ui/icons.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import classes from '../../attention/attention.module.css';
import { type AttentionItem, useAttentionItems } from '../../attention/attention-items.ts';
import { Mark } from '../../attention/mark.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { NotAvailable } from './load-errors.tsx';
import { LinesSkeleton } from './skeletons.tsx';

interface AttentionListProps {
  /** Currencies in the order in which the screen shows them, which amounts follow. */
  currencies: readonly string[];
  /** True to show nothing instead of an empty list. */
  isBrief?: boolean;
}

export function AttentionList({ currencies, isBrief = false }: AttentionListProps) {
  const { items, error } = useAttentionItems();
  if (isBrief && items?.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Needs attention')}>
      <Title order={2} size="h4" mb="xs">
        {t('Needs attention')}
      </Title>
      {items === undefined && (error === null ? <LinesSkeleton count={3} /> : <NotAvailable />)}
      {items?.length === 0 && (
        <Group gap="xs">
          <Icon name="check" size={16} />
          <Text size="sm">{t('Nothing needs your attention.')}</Text>
        </Group>
      )}
      <List size="sm" spacing="xs" className={classes.list}>
        {items?.map((item) => (
          <List.Item key={item.key} icon={<Mark isTask={item.isTask} />}>
            <Content item={item} currencies={currencies} />
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function Content({
  item: { text, screen, query, since, note, amounts },
  currencies,
}: {
  item: AttentionItem;
  currencies: readonly string[];
}) {
  return (
    <>
      {screen === null ? (
        text
      ) : (
        <ScreenLink screen={screen} query={query ?? {}}>
          {text}
        </ScreenLink>
      )}
      {typeof since === 'string' && (
        <>
          {' '}
          {t('since')} <When at={since} />
        </>
      )}
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      {amounts !== undefined && <Amounts totals={amounts} currencies={currencies} />}
    </>
  );
}

/** Number of currencies that the list shows. A phone has a line for one. */
const maxAmounts = 3;

function Amounts({
  totals,
  currencies,
}: {
  totals: NonNullable<AttentionItem['amounts']>;
  currencies: readonly string[];
}) {
  const isNarrow = useNarrow();
  // A currency that the screen doesn't show comes last.
  const placeOf = (currency: string): number =>
    currencies.includes(currency) ? currencies.indexOf(currency) : currencies.length;
  const sorted = totals.toSorted((one, other) => placeOf(one.currency) - placeOf(other.currency));
  const shown = sorted.slice(0, isNarrow ? 1 : maxAmounts);
  const more = sorted.length - shown.length;
  return (
    <Box className={classes.totals}>
      <ul className={classes.amounts}>
        {shown.map(({ currency, totalMinor }) => (
          <li key={currency}>
            <Money minor={totalMinor} currency={currency} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('+{more, plural, one {# currency} other {# currencies}}', { more })}
        </Text>
      )}
    </Box>
  );
}
