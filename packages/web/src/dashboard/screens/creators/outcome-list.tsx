import { Alert, List, Stack, Text } from '@mantine/core';
import type { CreatorOutcome } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import type { Kind } from './change-dialog.tsx';

export interface Outcomes {
  kind: Kind;
  outcomes: readonly CreatorOutcome[];
  names: ReadonlyMap<string, string>;
}

/** Result of a bulk change: the number of changed creators, and the reason for each rejected one. */
export function OutcomeList({ result, onClose }: { result: Outcomes; onClose(): void }) {
  const { kind, outcomes, names } = result;
  const count = (outcome: CreatorOutcome['outcome']): number =>
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
            <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
              {refused.map(({ memberId, code, groupId, message }) => (
                <List.Item key={`${groupId}/${memberId}/${code}`}>
                  <strong>{code ?? names.get(memberId ?? '') ?? memberId}</strong>: {message}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Stack>
    </Alert>
  );
}

const summaryOf = (kind: Kind, done: number): string =>
  ({
    approve: t('{done, plural, one {# creator} other {# creators}} approved', { done }),
    remove: t('{done, plural, one {# creator} other {# creators}} removed', { done }),
    tier: t('Tier set for {done, plural, one {# creator} other {# creators}}', { done }),
  })[kind];
