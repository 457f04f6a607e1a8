import {
  Alert,
  Anchor,
  Box,
  Button,
  Checkbox,
  Code,
  Group,
  NativeSelect,
  Progress,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CsvField } from '../../../ui/csv-field.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import classes from './creators.module.css';
import { type Line, type Scope, useImport } from './use-import.ts';

const example = 'id,name,codes,playerId,tier,status\nacc_kira,Kira,KIRA KIRA-2,p-77,Gold,Approved';

/** Page that imports creators line by line from a pasted table or a file, after a dry run. */
export function ImportPage() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { rows: groups, group } = useGroups();
  const [csv, setCsv] = useState('');
  const [scope, setScope] = useState<Scope>('group');
  const [takesOver, setTakesOver] = useState(false);
  const { state, isBusy, run, reset } = useImport({
    publisherId,
    groupId: group?.groupId,
    csv,
    scope,
    takesOver,
  });
  const change = (text: string): void => {
    setTakesOver(false);
    setCsv(text);
    reset();
  };
  const takeoverCount = state.lines.filter(({ verdict }) => verdict === 'takes over').length;
  const importCount =
    state.lines.filter(({ verdict }) => verdict === 'new' || verdict === 'changed').length +
    (takesOver ? takeoverCount : 0);
  const isChecked = state.step === 'checked';
  return (
    <ScreenPage
      title={t('Import creators from CSV')}
      about={t('Add and update creators with all their details. Check the file first, then import it.')}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/p/$publisherId/creators"
              params={{ publisherId } as never}
              search={(query.group === undefined ? {} : { group: query.group }) as never}
            />
          )}
        >
          {t('Back to creators')}
        </Button>
      }
    >
      <Stack maw={960}>
        <Text size="sm">
          {t('The first line has the column names:')}{' '}
          <Code>
            id, name, codes, playerId, displayName, tier, status, visible, logoImage, profileImage,
            identities, tags, group
          </Code>
          {t(
            '. A line with an existing ID updates that creator. An empty cell changes nothing. Lines for other groups are rejected.',
          )}{' '}
          {csv === '' && (
            <Anchor
              underline="always"
              component="button"
              type="button"
              size="sm"
              onClick={() => change(example)}
            >
              {t('Use an example')}
            </Anchor>
          )}
        </Text>
        <CsvField value={csv} placeholder={example} rows={[6, 14]} isBusy={isBusy} onChange={change}>
          {groups.length > 1 && (
            <NativeSelect
              label={t('Group')}
              value={group?.groupId ?? ''}
              data={groups.map(({ groupId, name }) => ({ value: groupId, label: name }))}
              disabled={isBusy}
              onChange={({ currentTarget: { value } }) => {
                setQuery({ group: value });
                reset();
              }}
            />
          )}
          <NativeSelect
            label={t('New codes work in')}
            value={scope}
            disabled={isBusy}
            data={[
              { value: 'group', label: t('this group only') },
              { value: 'global', label: t('all of the creator’s groups') },
            ]}
            onChange={({ currentTarget: { value } }) => {
              setScope(value as Scope);
              reset();
            }}
          />
          <Button
            variant={isChecked ? 'default' : 'filled'}
            disabled={csv.trim() === '' || group === undefined}
            loading={isBusy && state.step === 'checking'}
            onClick={() => void run(true)}
          >
            {t('Check')}
          </Button>
          {isChecked && (
            <Button disabled={importCount === 0} onClick={() => void run(false)}>
              {t('Import {count, plural, one {# line} other {# lines}}', { count: importCount })}
            </Button>
          )}
        </CsvField>
        {isChecked && takeoverCount > 0 && (
          <Checkbox
            label={t(
              'Also import the {count, plural, one {# line that takes} other {# lines that take}} over a code from another creator',
              { count: takeoverCount },
            )}
            description={t('From then on, purchases with that code in this group credit the new creator.')}
            checked={takesOver}
            onChange={({ currentTarget: { checked } }) => setTakesOver(checked)}
          />
        )}
        {isBusy && (
          <Progress
            value={state.lineCount === 0 ? 5 : Math.max(5, (100 * state.lines.length) / state.lineCount)}
            aria-label={t('Import progress')}
            animated
          />
        )}
        {state.error !== null && (
          <ErrorNotice
            error={state.error}
            title={
              state.step === 'applying'
                ? t('The import stopped after {done} lines. Those lines are saved. Try again to continue.', {
                    done: state.lines.length,
                  })
                : t('Couldn’t read the list')
            }
            onRetry={state.step === 'applying' ? () => void run(false) : undefined}
          />
        )}
        {state.lines.length > 0 && !isBusy && (
          <Summary lines={state.lines} isApplied={state.step === 'applied'} />
        )}
        {state.lines.length > 0 && <Lines lines={state.lines} isApplied={state.step === 'applied'} />}
      </Stack>
    </ScreenPage>
  );
}

interface Shown {
  lines: readonly Line[];
  isApplied: boolean;
}

function Summary({ lines, isApplied }: Shown) {
  const count = (verdict: string): number => lines.filter((each) => each.verdict === verdict).length;
  const takeoverCount = count('takes over');
  const counts = {
    made: count('new') + (isApplied ? takeoverCount : 0),
    changed: count('changed'),
    same: count('as before'),
    refused: count('refused'),
  };
  return (
    <Alert
      role="status"
      color={counts.refused + takeoverCount > 0 ? 'yellow' : 'green'}
      icon={<Icon name={counts.refused + takeoverCount > 0 ? 'alert' : 'check'} />}
      title={
        isApplied
          ? t('{made} added, {changed} changed, {same} unchanged, {refused} rejected', counts)
          : t('{made} to add, {changed} to change, {same} unchanged, {refused} rejected', counts)
      }
    >
      {!isApplied && t('Nothing is saved yet. ')}
      {takeoverCount > 0 &&
        (isApplied
          ? t('{count, plural, one {# line took} other {# lines took}} over a code from another creator. ', {
              count: takeoverCount,
            })
          : t(
              '{count, plural, one {# line takes over a code from another creator, and is} other {# lines take over a code from another creator, and are}} imported only if you allow it. ',
              { count: takeoverCount },
            ))}
      {counts.refused > 0 &&
        (isApplied
          ? t('Rejected lines weren’t saved. Correct them, then import again.')
          : t('Rejected lines will be skipped. The others will be imported.'))}
    </Alert>
  );
}

const maxShown = 500;

const tones: Readonly<Record<string, Tone>> = {
  new: 'good',
  changed: 'running',
  'as before': 'neutral',
  'takes over': 'waiting',
  refused: 'bad',
};

const verdictName = (verdict: string, isApplied: boolean): string =>
  (isApplied
    ? {
        new: t('Added'),
        changed: t('Changed'),
        'as before': t('Unchanged'),
        'takes over': t('Took over a code'),
        refused: t('Rejected'),
      }
    : {
        new: t('New'),
        changed: t('Change'),
        'as before': t('Unchanged'),
        'takes over': t('Takes over a code'),
        refused: t('Rejected'),
      })[verdict] ?? verdict;

const badgeOf = (verdict: string, isApplied: boolean) => (
  <StatusBadge tone={tones[verdict] ?? 'neutral'}>{verdictName(verdict, isApplied)}</StatusBadge>
);

/**
 * Result for each line. On a phone, the verdict and codes are under the creator's name, to leave room for the
 * reasons.
 */
function Lines({ lines, isApplied }: Shown) {
  const isNarrow = useNarrow();
  const [isRejectedOnly, setRejectedOnly] = useState(false);
  const wanted = isRejectedOnly ? lines.filter(({ verdict }) => verdict === 'refused') : lines;
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('Only rejected lines')}
        checked={isRejectedOnly}
        onChange={({ currentTarget: { checked } }) => setRejectedOnly(checked)}
      />
      <Scroller label={t('Result for each line')}>
        <Table aria-label={t('Lines')} className={classes.lines}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="end">{t('Line')}</Table.Th>
              {!isNarrow && <Table.Th>{t('Result')}</Table.Th>}
              <Table.Th>{t('Creator')}</Table.Th>
              {!isNarrow && <Table.Th>{t('Codes')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {wanted.slice(0, maxShown).map(({ line, verdict, name, memberId, codes, problems, warnings }) => (
              <Table.Tr key={line}>
                <Table.Td ta="end">{line}</Table.Td>
                {!isNarrow && <Table.Td>{badgeOf(verdict, isApplied)}</Table.Td>}
                <Table.Td>
                  {name ?? memberId ?? unknown}
                  {isNarrow && (
                    <Group gap="xs">
                      {badgeOf(verdict, isApplied)}
                      <Text size="sm" c="dimmed" span>
                        {codes.join(' ')}
                      </Text>
                    </Group>
                  )}
                  <Text size="sm" c="var(--mantine-color-error)">
                    {problems.join(' ')}
                  </Text>
                  {warnings.length > 0 && (
                    <Group gap={4} wrap="nowrap" align="flex-start">
                      <Box flex="none">
                        <Icon name="alert" size={16} />
                      </Box>
                      <Text size="sm">{warnings.join(' ')}</Text>
                    </Group>
                  )}
                </Table.Td>
                {!isNarrow && <Table.Td className={classes.codes}>{codes.join(' ') || unknown}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroller>
      {wanted.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('Showing the first {maxShown} of {count} lines.', { maxShown, count: wanted.length })}
        </Text>
      )}
    </Stack>
  );
}
