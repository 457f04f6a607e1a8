import { Box, Checkbox, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ListEntry } from '../../../client/types.gen.ts';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './creators.module.css';
import { creatorOf, type Picked } from './list-entries.ts';
import { Standing } from './standing.tsx';
import { keyOf } from './use-creators.ts';

interface EntryListProps {
  entries: readonly ListEntry[];
  picked: Picked;
  /** False while the entries are for an earlier text. */
  isCurrent: boolean;
  onPick(picked: Picked): void;
}

const maxShown = 500;

/** Entries of a pasted list, each with the creator that it names. */
export function EntryList({ entries, picked, isCurrent, onPick }: EntryListProps) {
  const [isOpenOnly, setOpenOnly] = useState(false);
  const isNarrow = useNarrow();
  const isOpen = (entry: ListEntry): boolean =>
    entry.state !== 'doubled' && creatorOf(entry, picked) === null;
  const wanted = isOpenOnly ? entries.filter(isOpen) : entries;
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={24}>
        <Text size="sm" role="status">
          {summaryOf(entries)}
        </Text>
        {entries.some(isOpen) && (
          <Checkbox
            label={t('Only entries without a creator')}
            checked={isOpenOnly}
            onChange={({ currentTarget: { checked } }) => setOpenOnly(checked)}
          />
        )}
      </Group>
      <Box
        className={classes.entries}
        data-old={!isCurrent || undefined}
        component="section"
        tabIndex={0}
        aria-label={t('Entries')}
        aria-busy={!isCurrent && entries.length > 0}
      >
        {wanted.length > 0 && (
          <Table aria-label={t('Entries')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Entry')}</Table.Th>
                <Table.Th>{t('Creator')}</Table.Th>
                {!isNarrow && <Table.Th>{t('Status')}</Table.Th>}
                {!isNarrow && <Table.Th>{t('Tier')}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {wanted.slice(0, maxShown).map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and an entry may occur twice
                <Entry key={`${index} ${entry.text}`} entry={entry} picked={picked} onPick={onPick} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Box>
      {wanted.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('Showing the first {maxShown} of {count} entries.', { maxShown, count: wanted.length })}
        </Text>
      )}
    </Stack>
  );
}

interface EntryProps extends Pick<EntryListProps, 'picked' | 'onPick'> {
  entry: ListEntry;
}

function Entry({ entry, picked, onPick }: EntryProps) {
  const isNarrow = useNarrow();
  const { text, state, creators } = entry;
  const creator = creatorOf(entry, picked);
  return (
    <Table.Tr>
      <Table.Td className={classes.entry}>{text}</Table.Td>
      <Table.Td>
        {state === 'ambiguous' ? (
          <NativeSelect
            size="xs"
            aria-label={t('Creator for {text}', { text })}
            value={picked[text] ?? ''}
            data={[
              { value: '', label: t('Several match. Choose one…') },
              ...creators.map((each) => ({
                value: keyOf(each),
                label: `${each.name} · ${each.groupName} · ${each.memberId}`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => onPick({ ...picked, [text]: value })}
          />
        ) : creator === null ? (
          <Verdict entry={entry} />
        ) : (
          <Group gap="xs">
            {creator.name}
            {isNarrow && <Standing status={creator.status} />}
          </Group>
        )}
      </Table.Td>
      {!isNarrow && <Table.Td>{creator !== null && <Standing status={creator.status} />}</Table.Td>}
      {!isNarrow && <Table.Td>{creator === null ? '' : (creator.tier ?? t('None'))}</Table.Td>}
    </Table.Tr>
  );
}

const tones = { unknown: 'bad', elsewhere: 'waiting', doubled: 'neutral' } as const satisfies Record<
  string,
  Tone
>;

function Verdict({ entry: { state, creators } }: { entry: ListEntry }) {
  if (state === 'found' || state === 'ambiguous') return null;
  const word = {
    unknown: t('Unknown'),
    elsewhere: t('Only in {groups}', {
      groups: [...new Set(creators.map(({ groupName }) => groupName))].join(', '),
    }),
    doubled: t('Already in the list'),
  }[state];
  return <StatusBadge tone={tones[state]}>{word}</StatusBadge>;
}

function summaryOf(entries: readonly ListEntry[]): string {
  const count = (state: ListEntry['state']): number =>
    entries.filter((entry) => entry.state === state).length;
  const parts = [
    t('{count, plural, =0 {No creators found} one {# creator found} other {# creators found}}', {
      count: count('found'),
    }),
    count('unknown') > 0 && t('{count, number} unknown', { count: count('unknown') }),
    count('ambiguous') > 0 && t('{count, number} ambiguous', { count: count('ambiguous') }),
    count('elsewhere') > 0 && t('{count, number} in other groups', { count: count('elsewhere') }),
    count('doubled') > 0 &&
      t('{count, plural, one {# duplicate} other {# duplicates}}', { count: count('doubled') }),
  ];
  return entries.length === 0 ? '' : parts.filter((part) => part !== false).join(' · ');
}
