import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  getApplicationPageOptions,
  getSessionOptions,
  listApplicationsOptions,
} from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { ApplicationPage, OwnApplication } from '../../../client/portal/types.gen.ts';
import { ApiFailure } from '../../../ui/api-failure.ts';
import { nowMs } from '../../../ui/clock.ts';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { applying } from '../../applying.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { goTo, usePlace } from '../../place.ts';
import { Skeletons } from '../../skeletons.tsx';
import { ApplicationForm } from './application-form.tsx';
import classes from './apply.module.css';
import { Decision } from './decision.tsx';
import { Terms } from './terms.tsx';

/** Page of a group that is open for applications, which also people see who aren't signed in. */
export function Page() {
  const { path } = usePlace();
  const [, , publisherId = '', groupId = ''] = path.split('/').map(decoded);
  const page = useQuery({
    ...getApplicationPageOptions({ path: { publisherId, groupId } }),
    enabled: publisherId !== '' && groupId !== '',
  });
  const session = useQuery({ ...getSessionOptions(), retry: false });
  const isSignedIn = session.data !== undefined;
  const own = useQuery({ ...listApplicationsOptions(), enabled: isSignedIn });
  const isMissing =
    publisherId === '' || groupId === '' || (page.error instanceof ApiFailure && page.error.status === 404);
  if (isMissing) return <NotOpen isSignedIn={isSignedIn} />;
  const error = page.error ?? (isSignedIn ? own.error : null);
  if (error !== null)
    return (
      <CreatorPage title={t('Apply')}>
        <Failing error={error} onRetry={() => void Promise.all([page.refetch(), own.refetch()])} />
      </CreatorPage>
    );
  if (page.data === undefined || session.isPending || (isSignedIn && own.data === undefined))
    return <Skeletons heights={[40, 96, 200, 44]} />;
  const application = own.data?.rows.find(
    (each) => each.publisherId === publisherId && each.groupId === groupId,
  );
  return <Open page={page.data} application={application} email={session.data?.email ?? null} />;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

interface OpenProps {
  page: ApplicationPage;
  /** The person's latest application to the group. */
  application: OwnApplication | undefined;
  /** Address of the person who is signed in; null if there is no session. */
  email: string | null;
}

function Open({ page, application, email }: OpenProps) {
  const { publisher, groupName, revShare } = page;
  const mayApply = application === undefined || mayApplyAgain(application);
  return (
    <CreatorPage title={t('Become a creator in {group}', { group: groupName })}>
      <p className={classes.publisher}>
        {publisher.logoPath !== null && <img className={classes.logo} src={publisher.logoPath} alt="" />}
        {publisher.name}
      </p>
      {application !== undefined && <Decision application={application} />}
      {mayApply && (
        <>
          <p className={classes.share}>
            <strong>{formatPercent(revShare)}</strong>
            {t(
              'of each purchase made with your code goes to you. The share can differ for some products and dates.',
            )}
          </p>
          <Terms terms={page.terms} />
          <Next page={page} email={email} />
        </>
      )}
    </CreatorPage>
  );
}

const mayApplyAgain = ({ state, againAt }: OwnApplication): boolean =>
  state === 'Expired' || (state === 'Refused' && (againAt === null || Date.parse(againAt) <= nowMs()));

function Next({ page, email }: Pick<OpenProps, 'page' | 'email'>) {
  const { path } = usePlace();
  if (page.isFull)
    return (
      <Alert role="status" title={t('Applications are paused')}>
        {t('{publisher} is reviewing a lot of applications. Check back in a few days.', {
          publisher: page.publisher.name,
        })}
      </Alert>
    );
  if (email !== null) return <ApplicationForm page={page} email={email} />;
  const signIn = (): void => {
    applying.keep(path);
    goTo('/enter', { query: { next: path } });
  };
  return (
    <Stack gap="sm">
      <Button size="md" onClick={signIn}>
        {t('Sign in to apply')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('We’ll email you a code. You don’t need a password.')}
      </Text>
    </Stack>
  );
}

function NotOpen({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <CreatorPage title={t('Not accepting applications')}>
      <Stack>
        <Text>
          {t('This page isn’t accepting applications. If a publisher gave you this link, ask for a new one.')}
        </Text>
        <LinkButton to="/" variant="default">
          {isSignedIn ? t('Go to Home') : t('Sign in')}
        </LinkButton>
      </Stack>
    </CreatorPage>
  );
}
