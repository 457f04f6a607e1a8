import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import type { Kind } from './change-dialog.tsx';
import type { ShownOutcome } from './shown-outcome.ts';

export interface Outcomes {
  kind: Kind;
  outcomes: readonly ShownOutcome[];
  names: ReadonlyMap<string, string>;
}

/** Result of a bulk change: the number of changed creators, and the reason for each rejected one. */
export function OutcomeList({ result, onClose }: { result: Outcomes; onClose(): void }) {
  const { kind, outcomes, names } = result;
  const count = (outcome: ShownOutcome['outcome']): number =>
    outcomes.filter((each) => each.outcome === outcome).length;
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const unchanged = count('as before');
  return (
    <Alert
      mb="md"
      color={refused.length > 0 ? 'yellow' : 'green'}
      icon={<Icon name={refused.length > 0 ? 'alert' : 'check'} />}
      title={summaryOf(kind, count('done'))}
      withCloseButton
      closeButtonLabel={t('Close result')}
      onClose={onClose}
    >
      <Stack gap="xs">
        {unchanged > 0 && (
          <Text size="sm">
            {t('{count, plural, one {# creator was} other {# creators were}} already up to date.', {
              count: unchanged,
            })}
          </Text>
        )}
        {refused.length > 0 && (
          <>
            <Text size="sm">
              {t(
                '{count, plural, one {# creator was} other {# creators were}} rejected. The others are saved.',
                {
                  count: refused.length,
                },
              )}
            </Text>
            <Group>
              <CopyButton
                value={refused
                  .map(({ memberId, typedName, message }) =>
                    [memberId, typedName ?? names.get(memberId ?? ''), message].filter(Boolean).join('\t'),
                  )
                  .join('\n')}
                label={t('Copy rejected')}
                withLabel
              />
            </Group>
            <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
              {refused.map(({ memberId, typedName, groupId, message }) => (
                <List.Item key={`${groupId}/${memberId}/${typedName}`}>
                  <strong>{typedName ?? names.get(memberId ?? '') ?? memberId}</strong>: {message}
                </List.Item>
              ))}
            </List>
          </>
        )}
        <Disclosure label={t('Result for each creator')}>
          <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
            {outcomes.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: added creators have no id, and the list never changes
              <List.Item key={index}>
                {each.typedName ?? names.get(each.memberId ?? '') ?? each.memberId}:{' '}
                {outcomeName(each.outcome)}
              </List.Item>
            ))}
          </List>
        </Disclosure>
      </Stack>
    </Alert>
  );
}

const outcomeName = (outcome: ShownOutcome['outcome']): string =>
  ({ done: t('Done'), 'as before': t('Already up to date'), refused: t('Rejected') })[outcome];

const summaryOf = (kind: Kind, done: number): string =>
  ({
    add: t('{done, plural, one {# creator} other {# creators}} added', { done }),
    approve: t('{done, plural, one {# creator} other {# creators}} approved', { done }),
    remove: t('{done, plural, one {# creator} other {# creators}} removed', { done }),
    reject: t('{done, plural, one {# creator} other {# creators}} rejected', { done }),
    tier: t('Tier set for {done, plural, one {# creator} other {# creators}}', { done }),
    tag: t('Tag added to {done, plural, one {# creator} other {# creators}}', { done }),
    untag: t('Tag removed from {done, plural, one {# creator} other {# creators}}', { done }),
  })[kind];
