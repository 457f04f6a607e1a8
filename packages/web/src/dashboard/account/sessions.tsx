import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listOwnSessionsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { endOtherSessions, endOwnSession } from '../../client/sdk.gen.ts';
import type { OwnSession } from '../../client/types.gen.ts';
import { browserWords } from '../../ui/browser-words.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LateSkeleton } from '../../ui/skeletons.tsx';
import { t } from '../../ui/text.ts';
import { toast } from '../../ui/toast.ts';
import { When } from '../../ui/when.tsx';

/** The signed-in person's sessions. Any session except the current one can be ended. */
export function Sessions() {
  const client = useQueryClient();
  const list = useQuery(listOwnSessionsOptions());
  const [isEndingAll, setEndingAll] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const refresh = (): Promise<void> =>
    client.invalidateQueries({ queryKey: listOwnSessionsOptions().queryKey });
  const end = async ({ sessionId, userAgent }: OwnSession): Promise<void> => {
    setError(null);
    try {
      await endOwnSession({ path: { sessionId }, throwOnError: true });
      toast(t('Session ended: {browser}', { browser: browserWords(userAgent) }));
    } catch (thrown) {
      setError(thrown);
    }
    await refresh();
  };
  if (list.data === undefined)
    return list.error === null ? (
      <LateSkeleton lines={2} />
    ) : (
      <ErrorNotice
        error={list.error}
        title={t('Couldn’t load the sessions')}
        onRetry={() => void list.refetch()}
      />
    );
  const { rows } = list.data;
  return (
    <>
      <Text size="sm">
        {t('A session ends after 12 hours without activity. End any session you don’t recognize.')}
      </Text>
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t end the session')} />}
      <Table aria-label={t('Active sessions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Browser')}</Table.Th>
            <Table.Th scope="col" visibleFrom="xs">
              {t('Signed in')}
            </Table.Th>
            <Table.Th scope="col" visibleFrom="xs">
              {t('Last seen')}
            </Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.sessionId}>
              <Table.Td>
                <Text size="sm">{browserWords(row.userAgent)}</Text>
                {row.address !== null && (
                  <Text size="xs" c="dimmed">
                    {row.address}
                  </Text>
                )}
                <Text size="xs" c="dimmed" hiddenFrom="xs">
                  {t('Last seen')} <When at={row.lastSeenAt} precision="minute" />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="xs">
                <When at={row.startedAt} precision="minute" />
              </Table.Td>
              <Table.Td visibleFrom="xs">
                <When at={row.lastSeenAt} precision="minute" />
              </Table.Td>
              <Table.Td ta="end">
                {row.isThis ? (
                  <Badge variant="default" tt="none">
                    {t('Current')}
                  </Badge>
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('End session in {browser}', { browser: browserWords(row.userAgent) })}
                    onClick={() => void end(row)}
                  >
                    {t('End')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > 1 && (
        <Group>
          <Button variant="default" onClick={() => setEndingAll(true)}>
            {t('Sign out everywhere else')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isEndingAll}
        onClose={() => setEndingAll(false)}
        title={t('Sign out everywhere else?')}
        action={t('Sign out everywhere else')}
        onConfirm={async () => {
          await endOtherSessions({ throwOnError: true });
          toast(t('You’re signed out everywhere else'));
          await refresh();
        }}
      >
        {t(
          'You’ll stay signed in only here. If you see a session you don’t recognize, change your password, too.',
        )}
      </ConfirmDialog>
    </>
  );
}
