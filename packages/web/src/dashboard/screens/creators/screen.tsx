import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { countCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { OpenExport } from '../../../ui/export-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useKeys } from '../../../ui/keys.ts';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useLinkedAction } from '../../../ui/use-linked-action.ts';
import { usePublisher } from '../../session/session.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { CodeCheck, noCodeYet } from './code-check.tsx';
import { CodeList, creatorOf } from './code-list.tsx';
import { CreatorDetail } from './creator-detail.tsx';
import { CreatorList } from './creator-list.tsx';
import { ExportCreators } from './export-creators.tsx';
import { OutcomeList, type Outcomes } from './outcome-list.tsx';
import { statusName } from './standing.tsx';
import { statuses, statusOf } from './use-creators.ts';

const CreateForm = lazy(() => import('./create-form.tsx').then((found) => ({ default: found.CreateForm })));
const ListDialog = lazy(() => import('./list-dialog.tsx').then((found) => ({ default: found.ListDialog })));
const ImportPage = lazy(() => import('./import-page.tsx').then((found) => ({ default: found.ImportPage })));

/** List of creators, or the import page at the subpath `import`. */
export function Screen() {
  const { _splat: below } = useParams({ strict: false }) as { _splat?: string };
  const { may } = usePublisher();
  if (below !== 'import' || !may('members')) return <Creators />;
  return (
    <Suspense fallback={<LateSkeleton />}>
      <ImportPage />
    </Suspense>
  );
}

function Creators() {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const [isAdding, setAdding] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const [result, setResult] = useState<Outcomes | null>(null);
  const status = statusOf(query.tab);
  const isCodes = query.tab === codesTab;
  const mayExport = may('export') && !isCodes;
  useLinkedAction('add', () => setAdding(may('members')));
  useLinkedAction('list', () => setPasting(may('members')));
  useKeys({ ...(may('members') && { c: () => setAdding(true) }) });
  return (
    <ScreenPage
      title={t('Creators')}
      tools={
        <>
          <ViewsMenu list="creators" />
          <CopyLink names={['tab', 'q', 'tier', 'tag', 'credits', 'balanceIn']} />
        </>
      }
      mainAction={
        may('members') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t('Add creator')}
          </Button>
        )
      }
      actions={
        (may('approve') || may('members') || may('notes')) && (
          <Button variant="default" onClick={() => setPasting(true)}>
            {t('Edit many…')}
          </Button>
        )
      }
      moreActions={[
        <Button
          key="check"
          variant="default"
          leftSection={<Icon name="help" size={16} />}
          onClick={() => setQuery({ check: noCodeYet, open: null })}
        >
          {t('Check code')}
        </Button>,
        may('members') && (
          <Button
            key="import"
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
            {t('Import CSV')}
          </Button>
        ),
        mayExport && <OpenExport key="export" label={t('Export CSV')} onClick={() => setExporting(true)} />,
      ]}
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
      {mayExport && (
        <ExportCreators status={status} opened={isExporting} onClose={() => setExporting(false)} />
      )}
      <Suspense>{isAdding && <CreateForm onClose={() => setAdding(false)} />}</Suspense>
      <Suspense>
        {isPasting && (
          <ListDialog
            onClose={() => setPasting(false)}
            onDone={(done) => {
              setPasting(false);
              setResult(done);
            }}
          />
        )}
      </Suspense>
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
      <TabList aria-label={t('Creator lists')}>
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
      </TabList>
    </Tabs>
  );
}
