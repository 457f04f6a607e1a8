import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { countCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { ChangeDialog, type Kind } from './change-dialog.tsx';
import { CodeCheck, noCodeYet } from './code-check.tsx';
import { CodeList, creatorOf } from './code-list.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { CreateForm } from './create-form.tsx';
import { CreatorDetail } from './creator-detail.tsx';
import { CreatorList } from './creator-list.tsx';
import { ImportPage } from './import-page.tsx';
import { OutcomeList, type Outcomes } from './outcome-list.tsx';
import { statusName } from './standing.tsx';
import { statuses, statusOf } from './use-creators.ts';

/** List of creators, or the import page at the subpath `import`. */
export function Screen() {
  const { _splat: below } = useParams({ strict: false }) as { _splat?: string };
  const { may } = usePublisher();
  return below === 'import' && may('members') ? <ImportPage /> : <Creators />;
}

function Creators() {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const [isAdding, setAdding] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState<{ codes: readonly string[]; kind: Kind } | null>(null);
  const [result, setResult] = useState<Outcomes | null>(null);
  const { group } = useGroups();
  const status = statusOf(query.tab);
  const isCodes = query.tab === codesTab;
  useLinkedAction('add', () => setAdding(may('members')));
  useKeys({ ...(may('members') && { c: () => setAdding(true) }) });
  const kinds: Kind[] = [
    ...(may('approve') ? ['approve' as const] : []),
    ...(may('members') ? (['tier', 'remove'] as const) : []),
  ];
  return (
    <ScreenPage
      title={t('Creators')}
      actions={
        <>
          <CopyLink names={['tab', 'q', 'tier', 'credits']} />
          <Button
            variant="default"
            leftSection={<Icon name="help" size={16} />}
            onClick={() => setQuery({ check: noCodeYet, open: null })}
          >
            {t('Check code')}
          </Button>
          {kinds.length > 0 && (
            <Button variant="default" onClick={() => setPasting(true)}>
              {t('Paste codes')}
            </Button>
          )}
          {may('members') && (
            <>
              <Button
                variant="default"
                leftSection={<Icon name="upload" size={16} />}
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/p/$publisherId/creators/import"
                    params={{ publisherId } as never}
                    search={(query.group === undefined ? {} : { group: query.group }) as never}
                  />
                )}
              >
                {t('Import')}
              </Button>
              <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
                {t('Add creator')}
              </Button>
            </>
          )}
        </>
      }
    >
      <StatusTabs onMove={() => setResult(null)} />
      {isCodes ? (
        <>
          {result !== null && <OutcomeList result={result} onClose={() => setResult(null)} />}
          <CodeList />
        </>
      ) : (
        <CreatorList
          key={status}
          status={status}
          result={result}
          onResult={setResult}
          onAdd={() => setAdding(true)}
        />
      )}
      <DetailDrawer title={t('Creator')}>
        {(key) => <CreatorDetail openKey={isCodes ? creatorOf(key) : key} />}
      </DetailDrawer>
      <DetailDrawer title={t('Check code')} name="check">
        {(code) => <CodeCheck key={code} code={code} />}
      </DetailDrawer>
      {isAdding && <CreateForm onClose={() => setAdding(false)} />}
      <CodesDialog
        opened={isPasting}
        groupName={group?.name ?? ''}
        kinds={kinds}
        onClose={() => setPasting(false)}
        onChoose={(codes, kind) => {
          setPasting(false);
          setPasted({ codes, kind });
        }}
      />
      <ChangeDialog
        kind={pasted?.kind ?? null}
        chosen={{ members: [], codes: pasted?.codes ?? [], groupId: group?.groupId }}
        onClose={() => setPasted(null)}
        onDone={(kind, outcomes) => setResult({ kind, outcomes, names: new Map() })}
      />
    </ScreenPage>
  );
}

const codesTab = 'codes';

function StatusTabs({ onMove }: { onMove(): void }) {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const counts = useQuery(
    countCreatorsOptions({
      path: { publisherId },
      query: { ...(query.group !== undefined && { group: query.group }) },
    }),
  );
  return (
    <Tabs
      value={query.tab === codesTab ? codesTab : statusOf(query.tab)}
      mb="md"
      onChange={(value) => {
        onMove();
        setQuery({
          tab: value === 'Approved' ? null : (value?.toLowerCase() ?? null),
          cursor: null,
          open: null,
        });
      }}
    >
      <Tabs.List aria-label={t('Creator lists')}>
        {statuses.map((status) => {
          const count = counts.data?.[status];
          return (
            <Tabs.Tab key={status} value={status}>
              {statusName(status)}
              {/* A placeholder while loading, so that the tabs don't shift. */}
              {count === undefined ? ' (…)' : ` (${count.atLeast}${count.isExact ? '' : '+'})`}
            </Tabs.Tab>
          );
        })}
        <Tabs.Tab value={codesTab}>{t('Codes')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
