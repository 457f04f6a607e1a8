import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { KeyList } from './key-list.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RequestList } from './request-list.tsx';
import { RequestSums } from './request-sums.tsx';
import { Snippets } from './snippets.tsx';

const tabs = ['keys', 'activity', 'requests', 'snippets'] as const;

/** URL parameters that belong to a single tab. */
const tabParameters = [
  'open',
  'hours',
  'keyId',
  'operation',
  'code',
  'sentCode',
  'requestId',
  'each',
] as const;

/** URL parameters that open the list of rejected requests. */
const requestsPlace = { tab: 'requests' };

export function Screen() {
  const { query, setQuery } = useUrlState();
  const tab = tabs.find((each) => each === query.tab) ?? 'keys';
  /** Name of the key used in the snippets, never the key itself. */
  const [keyName, setKeyName] = useState<string | null>(null);
  const [isCreating, setCreating] = useState(false);
  useLinkedAction('add', () => setCreating(true));
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      {t('Create API key')}
    </Button>
  );
  const go = (next: string | null): void =>
    setQuery({
      tab: next === 'keys' ? null : next,
      ...Object.fromEntries(tabParameters.map((name) => [name, null])),
    });
  return (
    <ScreenPage
      title={t('Developers')}
      about={t('API keys, requests, and snippets for connecting your game.')}
      {...(tab === 'requests' && { tools: <ViewsMenu list="requests" place={requestsPlace} /> })}
      mainAction={tab === 'keys' && create}
    >
      <Tabs value={tab} onChange={go} keepMounted={false}>
        <TabList mb="md">
          <Tabs.Tab value="keys">{t('Keys')}</Tabs.Tab>
          <Tabs.Tab value="activity">{t('Activity')}</Tabs.Tab>
          <Tabs.Tab value="requests">{t('Rejected requests')}</Tabs.Tab>
          <Tabs.Tab value="snippets">{t('Snippets')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="keys">
          <KeyList
            createButton={create}
            onUse={(name) => {
              setKeyName(name);
              go('snippets');
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <RequestSums />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <RequestList />
        </Tabs.Panel>
        <Tabs.Panel value="snippets">
          <Snippets keyName={keyName} onChoose={setKeyName} />
        </Tabs.Panel>
      </Tabs>
      <NewKeyDialog opened={isCreating} onClose={() => setCreating(false)} />
    </ScreenPage>
  );
}
