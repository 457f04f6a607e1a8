import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRolesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { roleWord } from './role-words.ts';

export function RolesTable() {
  const { data, error, refetch } = useQuery(listRolesOptions());
  if (data === undefined)
    return error === null ? (
      <LateSkeleton lines={10} />
    ) : (
      <ErrorNotice error={error} title={t('Couldn’t load the roles')} onRetry={() => void refetch()} />
    );
  return (
    <Scroller label={t('Roles and permissions')}>
      <Table miw={{ base: 600, sm: 760 }} aria-label={t('Roles and permissions')} stickyHeader={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Permission')}</Table.Th>
            {data.roles.map(({ role }) => (
              <Table.Th key={role} scope="col" ta="center">
                {roleWord(role)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.permissions.map(({ permission, meaning }) => (
            <Table.Tr key={permission}>
              <Table.Th scope="row" fw={400}>
                {t(meaning)}
              </Table.Th>
              {data.roles.map(({ role, permissions, inSandbox }) => (
                <Table.Td key={role} ta="center">
                  <Mark
                    may={permissions.includes(permission)}
                    mayInSandbox={inSandbox.includes(permission)}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

function Mark({ may, mayInSandbox }: { may: boolean; mayInSandbox: boolean }) {
  if (may !== mayInSandbox)
    return (
      <Text span size="xs">
        {may ? t('not in a sandbox') : t('only in a sandbox')}
      </Text>
    );
  return may ? (
    <span role="img" aria-label={t('yes')}>
      <Icon name="check" size={16} />
    </span>
  ) : (
    <Text component="span" c="dimmed" aria-label={t('no')} role="img">
      –
    </Text>
  );
}
