import { Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type { ConnectorChecks, ListedConnector } from '../../../../client/types.gen.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { msg, t } from '../../../../ui/text.ts';
import { SendSample } from './send-sample.tsx';
import type { Check } from './use-check.ts';

interface WaitForEventProps {
  connector: ListedConnector;
  /** Way to cause a test event at the provider. */
  how: string;
  check: Check;
  onShowEvent(eventId: string): void;
}

/** Last step of the setup: waits for an event, and shows each check as it passes. */
export function WaitForEvent({ connector, how, check, onShowEvent }: WaitForEventProps) {
  const { state, checks, error, eventId } = check;
  const current = state === 'waiting' ? checks.find((each) => each.state === 'waiting')?.check : undefined;
  return (
    <Stack gap="sm">
      <Text size="sm">{how}</Text>
      {state === 'idle' && (
        <Group gap="xs">
          <Button onClick={check.start} variant={connector.hasSecret ? 'filled' : 'default'}>
            {t('Wait for a test event')}
          </Button>
        </Group>
      )}
      {error !== null && <ErrorNotice error={error} />}
      {checks.length > 0 && (
        <List listStyleType="none" spacing="xs" role="list" aria-label={t('Checks')}>
          {checks.map((each) => (
            <List.Item key={each.check} icon={<Mark state={each.state} isBusy={each.check === current} />}>
              <Text
                span
                size="sm"
                fw={each.state === 'waiting' ? 400 : 600}
                {...(each.state === 'waiting' && each.check !== current && { c: 'dimmed' })}
              >
                {checkName(each, connector.poll !== null)}
              </Text>
              {each.detail !== null && (
                <Text size="sm" {...(each.state !== 'failed' && { c: 'dimmed' })}>
                  {each.detail}
                </Text>
              )}
              {each.state === 'failed' && <Help failed={each.check} connector={connector} />}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" role="status">
        {state === 'waiting' && t('Waiting for an event. This page checks every two seconds.')}
        {state === 'stopped' && t('Nothing more arrived within ten minutes.')}
        {state === 'passed' && t('Everything works. The connector records purchases from now on.')}
      </Text>
      {(eventId !== null || state === 'stopped' || state === 'passed') && (
        <Group gap="xs">
          {eventId !== null && <Button onClick={() => onShowEvent(eventId)}>{t('Show the event')}</Button>}
          <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={check.start}>
            {t('Check again')}
          </Button>
        </Group>
      )}
      <SendSample connector={connector} onSend={check.start} />
    </Stack>
  );
}

type CheckName = ConnectorChecks['checks'][number]['check'];

/** Names of checks that haven't passed. */
const expected: Readonly<Record<CheckName, string>> = {
  arrived: msg('Request from the provider'),
  signature: msg('Valid signature'),
  handshake: msg('Answer to the provider’s question'),
  code: msg('Known creator code'),
  recorded: msg('Recorded purchase'),
};

const passed: Readonly<Record<CheckName, string>> = {
  arrived: msg('A request arrived'),
  signature: msg('The signature is valid'),
  handshake: msg('The provider’s question was answered'),
  code: msg('The creator code was found'),
  recorded: msg('The purchase was recorded'),
};

/** Returns the name of a check. The first one is about a report if the provider sends nothing. */
function checkName({ check, state }: ConnectorChecks['checks'][number], isPolled: boolean): string {
  const isPassed = state === 'passed';
  if (isPolled && check === 'arrived') return isPassed ? t('The report was read') : t('Report of orders');
  return t(isPassed ? passed[check] : expected[check]);
}

function Mark({ state, isBusy }: { state: ConnectorChecks['checks'][number]['state']; isBusy: boolean }) {
  if (isBusy) return <Loader size={16} role="img" aria-label={t('Waiting')} />;
  const [label, color, icon] =
    state === 'passed'
      ? ([t('Passed'), 'green', 'check'] as const)
      : state === 'failed'
        ? ([t('Failed'), 'error', 'cross'] as const)
        : ([t('Waiting'), 'dimmed', 'pending'] as const);
  return (
    <Text
      span
      c={color === 'green' ? 'green' : `var(--mantine-color-${color})`}
      role="img"
      aria-label={label}
    >
      <Icon name={icon} size={16} />
    </Text>
  );
}

/** Advice about a failed check, if its finding doesn't say so. */
function Help({ failed, connector }: { failed: CheckName; connector: ListedConnector }) {
  if (failed === 'signature')
    return (
      <Text size="sm">
        {t('Expected in the header {header}, signed with the secret of this address.', {
          header: connector.signatureHeader,
        })}
      </Text>
    );
  return null;
}
