import { Tabs } from '@mantine/core';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { StaffRulesForm } from '../../staff-rules-form.tsx';
import { Invitations } from './invitations.tsx';
import { InviteButton } from './invite.tsx';
import { People } from './people.tsx';
import { RolesTable } from './roles-table.tsx';
import { Tokens } from './tokens.tsx';

export function Screen() {
  const { may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const tabs = [
    { value: 'people', label: t('People'), content: <People /> },
    ...(may('team')
      ? [
          { value: 'invitations', label: t('Invitations'), content: <Invitations /> },
          { value: 'tokens', label: t('Operator tokens'), content: <Tokens /> },
        ]
      : []),
    { value: 'rules', label: t('Rules'), content: <StaffRulesForm /> },
    { value: 'roles', label: t('Roles'), content: <RolesTable /> },
  ];
  const shown = tabs.find(({ value }) => value === query.tab)?.value ?? 'people';
  return (
    <ScreenPage
      title={t('Team')}
      about={t('The people with access to this publisher, and their roles.')}
      mainAction={may('team') && shown !== 'tokens' && <InviteButton />}
    >
      <Tabs
        value={shown}
        onChange={(tab) => setQuery({ tab: tab === 'people' ? null : tab })}
        keepMounted={false}
      >
        <TabList mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map(({ value, content }) => (
          <Tabs.Panel key={value} value={value}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </ScreenPage>
  );
}
