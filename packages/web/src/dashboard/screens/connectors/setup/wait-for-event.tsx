import { Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type {
  CheckedConnectorEvent,
  ConnectorChecks,
  ListedConnector,
} from '../../../../client/types.gen.ts';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { msg, t } from '../../../../ui/text.ts';
import { When } from '../../../../ui/when.tsx';
import { kindOfEvent } from '../event-words.ts';
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
  const { state, checks, error, event, isSamplePassed } = check;
  const current = state === 'waiting' ? checks.find((each) => each.state === 'waiting')?.check : undefined;
  return (
    <Stack gap="sm">
      <Text size="sm">{how}</Text>
      {state === 'idle' && connector.lastEventAt !== null && (
        <Text size="sm">
          {t('Last event from the provider:')} <When at={connector.lastEventAt} precision="second" />
        </Text>
      )}
      {state === 'idle' && (
        <Group gap="xs">
          <Button onClick={check.start} variant={connector.hasSecret ? 'filled' : 'default'}>
            {t('Wait for a test event')}
          </Button>
        </Group>
      )}
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t check for events')} />}
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
                {checkName(each, { isPolled: connector.poll !== null, isSample: event?.isSample === true })}
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
      <Text size="sm" role="status" fw={isSamplePassed ? 600 : 400}>
        {state === 'waiting' &&
          (isSamplePassed
            ? t('Sample passed. Waiting for a real event from the provider.')
            : t('Waiting for an event. This page checks every two seconds.'))}
        {state === 'stopped' &&
          (isSamplePassed
            ? t('Sample passed, but no real event arrived within ten minutes.')
            : t('Nothing more arrived within ten minutes.'))}
        {state === 'passed' && event !== null && <Success event={event} />}
      </Text>
      {(event !== null || state === 'stopped') && (
        <Group gap="xs">
          {event !== null && (
            <Button
              {...(!check.isPassed && { variant: 'default' })}
              onClick={() => onShowEvent(event.eventId)}
            >
              {t('View event')}
            </Button>
          )}
          {/* While it waits after a sample, the next event is seen without it. */}
          {!(state === 'waiting' && isSamplePassed) && (
            <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={check.start}>
              {t('Check again')}
            </Button>
          )}
        </Group>
      )}
      <SendSample connector={connector} isSent={isSamplePassed} onSend={check.start} />
    </Stack>
  );
}

/** Names the event from the provider that passed, and its time. */
function Success({ event }: { event: CheckedConnectorEvent }) {
  const { orderId, receivedAt } = event;
  const kind = kindOfEvent(event);
  return (
    <>
      <Text span inherit fw={600}>
        {t('The connector works.')}
      </Text>{' '}
      {orderId === null
        ? t('Purchase recorded from {kind}, received', { kind })
        : t('Purchase recorded from {kind} for order {orderId}, received', { kind, orderId })}{' '}
      <When at={receivedAt} precision="second" />.
    </>
  );
}

type CheckName = ConnectorChecks['checks'][number]['check'];

/** Names of checks that haven't passed. */
const expected: Readonly<Record<CheckName, string>> = {
  arrived: msg('Request from the provider'),
  signature: msg('Valid signature'),
  handshake: msg('User validation'),
  code: msg('Known creator code'),
  recorded: msg('Recorded purchase'),
};

const passed: Readonly<Record<CheckName, string>> = {
  arrived: msg('A request arrived'),
  signature: msg('The signature is valid'),
  handshake: msg('A user validation was answered'),
  code: msg('The creator code was found'),
  recorded: msg('The purchase was recorded'),
};

interface Subject {
  /** True if the provider sends nothing, so that its report is read. */
  isPolled: boolean;
  isSample: boolean;
}

/** Returns the name of a check. */
function checkName(
  { check, state }: ConnectorChecks['checks'][number],
  { isPolled, isSample }: Subject,
): string {
  const isPassed = state === 'passed';
  if (isPassed && isSample && !isPolled && check === 'arrived') return t('The sample arrived');
  if (isPassed && isSample && check === 'signature') return t('The sample is signed with the saved secret');
  if (isPolled && check === 'arrived') return isPassed ? t('The report was read') : t('Order report');
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
        {t('Expected in the {header} header, signed with this address’s secret.', {
          header: connector.signatureHeader,
        })}
      </Text>
    );
  return null;
}
