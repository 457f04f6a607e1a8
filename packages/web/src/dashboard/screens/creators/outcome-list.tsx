import { Alert, List, Stack, Text } from '@mantine/core';
import type { CreatorOutcome } from '../../../client/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import type { Kind } from './change-dialog.tsx';

export interface Outcomes {
  kind: Kind;
  outcomes: readonly CreatorOutcome[];
  /** What creators are called, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** What became of many: how many were done, and why each of the others was not. */
export function OutcomeList({ result, onClose }: { result: Outcomes; onClose(): void }) {
  const { kind, outcomes, names } = result;
  const count = (outcome: CreatorOutcome['outcome']): number =>
    outcomes.filter((each) => each.outcome === outcome).length;
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  const before = count('as before');
  return (
    <Alert
      mb="md"
      color={refused.length > 0 ? 'yellow' : 'green'}
      icon={<Icon name={refused.length > 0 ? 'alert' : 'check'} />}
      title={doneSays(kind, count('done'))}
      withCloseButton
      closeButtonLabel={t('Close the result')}
      onClose={onClose}
    >
      <Stack gap="xs">
        {before > 0 && (
          <Text size="sm">{t('{before, plural, one {# was} other {# were}} so already.', { before })}</Text>
        )}
        {refused.length > 0 && (
          <>
            <Text size="sm">
              {t('{count, plural, one {# was} other {# were}} refused; the others are saved:', {
                count: refused.length,
              })}
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

const doneSays = (kind: Kind, done: number): string =>
  ({
    approve: t('{done, plural, one {# creator} other {# creators}} approved', { done }),
    remove: t('{done, plural, one {# creator} other {# creators}} removed', { done }),
    tier: t('{done, plural, one {# creator has} other {# creators have}} another tier', { done }),
  })[kind];
