import {
  Alert,
  Anchor,
  Box,
  Button,
  Checkbox,
  Code,
  FileButton,
  Group,
  NativeSelect,
  Progress,
  Stack,
  Table,
  Text,
  Textarea,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { unknown } from '../../../ui/money.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import classes from './creators.module.css';
import { type Line, type Scope, useImport } from './use-import.ts';

const example = 'id,name,codes,playerId,tier,status\nacc_kira,Kira,KIRA KIRA-2,p-77,Gold,Approved';

/** Creators from a table: pasted or chosen, tried first, and then saved line by line. */
export function ImportPage() {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { rows: groups, group } = useGroups();
  const [csv, setCsv] = useState('');
  const [scope, setScope] = useState<Scope>('group');
  const [takeOver, setTakeOver] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);
  const { state, isBusy, run, forget } = useImport({
    publisherId,
    groupId: group?.groupId,
    csv,
    scope,
    takeOver,
  });
  const change = (text: string): void => {
    setUnreadable(false);
    setTakeOver(false);
    setCsv(text);
    forget();
  };
  const read = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      change(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      setUnreadable(true);
    }
  };
  const taking = state.lines.filter(({ verdict }) => verdict === 'takes over').length;
  const good =
    state.lines.filter(({ verdict }) => verdict === 'new' || verdict === 'changed').length +
    (takeOver ? taking : 0);
  const isTried = state.step === 'tried';
  return (
    <ScreenPage
      title={t('Import creators')}
      about={t('From a table, as a spreadsheet saves it: tried first, then saved line by line.')}
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
          {t('Back to the list')}
        </Button>
      }
    >
      <Stack maw={960}>
        <Text size="sm">
          {t('The first line names the columns:')}{' '}
          <Code>
            id, name, codes, playerId, displayName, tier, status, visible, logoImage, profileImage, identities
          </Code>
          {t('. A line whose id is known changes that creator; an empty cell leaves what is there.')}{' '}
          {csv === '' && (
            <Anchor
              underline="always"
              component="button"
              type="button"
              size="sm"
              onClick={() => change(example)}
            >
              {t('Begin with an example')}
            </Anchor>
          )}
        </Text>
        <Textarea
          label={t('Table')}
          value={csv}
          placeholder={example}
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          disabled={isBusy}
          error={isUnreadable ? t('The file is no text in UTF-8. Save it as “CSV UTF-8”.') : undefined}
          onChange={({ currentTarget: { value } }) => change(value)}
        />
        <Group align="flex-end">
          <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void read(file)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<Icon name="upload" size={16} />}
                disabled={isBusy}
              >
                {t('Choose a file')}
              </Button>
            )}
          </FileButton>
          {groups.length > 1 && (
            <NativeSelect
              label={t('Group')}
              value={group?.groupId ?? ''}
              data={groups.map(({ groupId, name }) => ({ value: groupId, label: name }))}
              disabled={isBusy}
              onChange={({ currentTarget: { value } }) => {
                setQuery({ group: value });
                forget();
              }}
            />
          )}
          <NativeSelect
            label={t('Codes are good in')}
            value={scope}
            disabled={isBusy}
            data={[
              { value: 'group', label: t('this group alone') },
              { value: 'global', label: t('all groups of their creator') },
            ]}
            onChange={({ currentTarget: { value } }) => {
              setScope(value as Scope);
              forget();
            }}
          />
          <Button
            variant={isTried ? 'default' : 'filled'}
            disabled={csv.trim() === '' || group === undefined}
            loading={isBusy && state.step === 'trying'}
            onClick={() => void run(true)}
          >
            {t('Try it')}
          </Button>
          {isTried && (
            <Button disabled={good === 0} onClick={() => void run(false)}>
              {t('Apply {good, plural, one {# line} other {# lines}}', { good })}
            </Button>
          )}
        </Group>
        {isTried && taking > 0 && (
          <Checkbox
            label={t(
              'Also save the {taking, plural, one {# line} other {# lines}} that {taking, plural, one {takes} other {take}} a code over from another creator',
              { taking },
            )}
            description={t('Purchases with that code credit the new creator in this group from then on.')}
            checked={takeOver}
            onChange={({ currentTarget: { checked } }) => setTakeOver(checked)}
          />
        )}
        {isBusy && (
          <Progress
            value={state.lineCount === 0 ? 5 : Math.max(5, (100 * state.lines.length) / state.lineCount)}
            aria-label={t('How far it is')}
            animated
          />
        )}
        {state.error !== null && (
          <ErrorNotice
            error={state.error}
            {...(state.step === 'applying' && {
              title: t(
                'It stopped on the way: {done} lines are done. Apply again goes on; what is saved stays.',
                {
                  done: state.lines.length,
                },
              ),
            })}
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
  const taking = count('takes over');
  const counts = {
    made: count('new') + (isApplied ? taking : 0),
    changed: count('changed'),
    same: count('as before'),
    refused: count('refused'),
  };
  return (
    <Alert
      role="status"
      color={counts.refused + taking > 0 ? 'yellow' : 'green'}
      icon={<Icon name={counts.refused + taking > 0 ? 'alert' : 'check'} />}
      title={
        isApplied
          ? t('{made} added, {changed} changed, {same} as before, {refused} refused', counts)
          : t(
              '{made} would be added, {changed} changed, {same} stay as they are, {refused} are refused',
              counts,
            )
      }
    >
      {!isApplied && t('Nothing is saved yet. ')}
      {taking > 0 &&
        (isApplied
          ? t('{taking, plural, one {# line took} other {# lines took}} a code over from another creator. ', {
              taking,
            })
          : t(
              '{taking, plural, one {# line takes} other {# lines take}} a code over from another creator, and {taking, plural, one {is} other {are}} saved only if you allow it. ',
              { taking },
            ))}
      {counts.refused > 0 &&
        (isApplied
          ? t('Nothing of the refused lines was saved. Correct them, then import the table again.')
          : t('Refused lines are left out when you apply; the others are saved.'))}
    </Alert>
  );
}

const shownAtMost = 500;

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
        'as before': t('As before'),
        'takes over': t('Took over'),
        refused: t('Refused'),
      }
    : {
        new: t('New'),
        changed: t('Changes'),
        'as before': t('As it is'),
        'takes over': t('Takes over'),
        refused: t('Refused'),
      })[verdict] ?? verdict;

const badgeOf = (verdict: string, isApplied: boolean) => (
  <StatusBadge tone={tones[verdict] ?? 'neutral'}>{verdictName(verdict, isApplied)}</StatusBadge>
);

/** On a phone verdict and codes stand below the creator, so that reasons have the width. */
function Lines({ lines, isApplied }: Shown) {
  const isNarrow = useNarrow();
  const [isWrongAlone, setWrongAlone] = useState(false);
  const wanted = isWrongAlone ? lines.filter(({ verdict }) => verdict === 'refused') : lines;
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('Refused lines only')}
        checked={isWrongAlone}
        onChange={({ currentTarget: { checked } }) => setWrongAlone(checked)}
      />
      <Box className={classes.lines} component="section" tabIndex={0} aria-label={t('Verdict of each line')}>
        <Table aria-label={t('Lines')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="end">{t('Line')}</Table.Th>
              {!isNarrow && <Table.Th>{t('Verdict')}</Table.Th>}
              <Table.Th>{t('Creator')}</Table.Th>
              {!isNarrow && <Table.Th>{t('Codes')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {wanted
              .slice(0, shownAtMost)
              .map(({ line, verdict, name, memberId, codes, problems, warnings }) => (
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
      </Box>
      {wanted.length > shownAtMost && (
        <Text size="sm" c="dimmed">
          {t('The first {shownAtMost} of {count} lines.', { shownAtMost, count: wanted.length })}
        </Text>
      )}
    </Stack>
  );
}
