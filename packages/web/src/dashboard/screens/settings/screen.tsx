import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getSettingsOptions, listCreatorGroupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { Buyers } from './buyers.tsx';
import { GroupSettings } from './group-settings.tsx';
import { Installation } from './installation.tsx';
import { NextSteps } from './next-steps.tsx';
import { ProgramFile } from './program-file.tsx';
import { PublisherName } from './publisher-name.tsx';
import { StaffRules } from './staff-rules.tsx';

/** What the publisher is set to, its program as a file, and what the installation is set to. */
export function Screen() {
  const { publisherId } = usePublisher();
  const settings = useQuery(getSettingsOptions({ path: { publisherId } }));
  const groups = useQuery(listCreatorGroupsOptions({ path: { publisherId } }));
  return (
    <ScreenPage
      title={t('Settings')}
      about={t('What holds for the whole publisher. Each change is in the audit log.')}
    >
      {/* Together, so that no part moves the ones below it when it comes. */}
      {settings.isPending || groups.isPending ? (
        <LateSkeleton lines={12} />
      ) : (
        <Stack gap="lg">
          {groups.data?.rows.length === 0 && <NextSteps />}
          {settings.error !== null && (
            <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />
          )}
          {settings.data !== undefined && <PublisherName settings={settings.data} />}
          <GroupSettings groups={groups} />
          {settings.data !== undefined && <Buyers settings={settings.data} />}
          <ProgramFile />
          <StaffRules />
          {settings.data !== undefined && <Installation installation={settings.data.installation} />}
        </Stack>
      )}
    </ScreenPage>
  );
}
