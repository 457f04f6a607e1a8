import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { BrandedPublisher } from '../../client/portal/types.gen.ts';
import { t } from '../../ui/text.ts';
import { CreatorPage } from '../creator-page.tsx';
import { Failing } from '../failing.tsx';
import { pageAt } from '../pages.ts';
import { goTo, usePlace } from '../place.ts';
import { accountsQuery, choosePublisher, PublisherProvider, rememberPublisher } from '../publisher.ts';
import { Skeletons } from '../skeletons.tsx';
import { Bar } from './bar.tsx';
import { NoAccounts } from './no-accounts.tsx';
import { NotHere } from './not-here.tsx';
import { Offline } from './offline.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PublisherChoice } from './publisher-choice.tsx';
import classes from './shell.module.css';

/** Frame of all pages. It reads the session of pages inside before it shows them. */
export function Shell() {
  const { path } = usePlace();
  const page = pageAt(path);
  if (page?.needs === 'public')
    return (
      <Frame header={<span className={classes.brand}>{t('Creators')}</span>}>
        <PageBoundary key={path}>
          <Suspense fallback={<Skeletons heights={[32, 44, 44]} />}>
            <page.Page />
          </Suspense>
        </PageBoundary>
      </Frame>
    );
  return <Inside />;
}

function Inside() {
  const { path, query } = usePlace();
  const { data, error, refetch } = useQuery(accountsQuery);
  const [chosenId, setChosenId] = useState<string | null>(query.publisher ?? null);
  const page = pageAt(path);
  const publisher = data === undefined ? null : choosePublisher(data.rows, chosenId);
  const shownId = publisher?.publisherId;
  useEffect(() => {
    if (shownId !== undefined) rememberPublisher(shownId);
  }, [shownId]);
  const choose = (publisherId: string): void => {
    setChosenId(publisherId);
    goTo(page?.path ?? '/', { replaces: true }); // what is open there belongs to the other publisher
  };
  return (
    <Frame
      header={<PublisherChoice publisher={publisher} isPending={data === undefined} onChoose={choose} />}
      bar={<Bar />}
      accent={publisher?.accent ?? null}
    >
      <Offline />
      {data !== undefined ? (
        <PageBoundary key={`${path} ${publisher?.publisherId}`}>
          {page === undefined ? (
            <NotHere />
          ) : page.needs === 'publisher' && publisher === null ? (
            <NoAccounts />
          ) : (
            <PublisherProvider value={publisher}>
              <Suspense fallback={<Skeletons heights={[32, 150, 96, 96]} />}>
                <page.Page />
              </Suspense>
            </PublisherProvider>
          )}
        </PageBoundary>
      ) : error !== null ? (
        <CreatorPage title={t('Creators')}>
          <Failing error={error} onRetry={() => void refetch()} />
        </CreatorPage>
      ) : (
        <Skeletons heights={[32, 150, 96, 96]} />
      )}
    </Frame>
  );
}

interface FrameProps {
  header: ReactNode;
  bar?: ReactNode;
  /** Publisher's color; null for the product's own. */
  accent?: BrandedPublisher['accent'];
  children: ReactNode;
}

function Frame({ header, bar, accent = null, children }: FrameProps) {
  return (
    <div
      className={classes.frame}
      data-with-bar={bar !== undefined || undefined}
      data-branded={accent !== null || undefined}
      style={accent === null ? undefined : variablesOf(accent)}
    >
      <header className={classes.header}>
        <div className={classes.headerInner}>{header}</div>
      </header>
      {bar}
      <main className={classes.main}>{children}</main>
    </div>
  );
}

const variablesOf = ({ light, dark }: NonNullable<BrandedPublisher['accent']>): CSSProperties =>
  ({
    '--brand-fill': `light-dark(${light.fill}, ${dark.fill})`,
    '--brand-ink': `light-dark(${light.ink}, ${dark.ink})`,
  }) as CSSProperties;
