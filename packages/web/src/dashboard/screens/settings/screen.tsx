import { useQuery } from '@tanstack/react-query';
import {
  getBrandingOptions,
  getSettingsOptions,
  getStaffRulesOptions,
  listChannelsOptions,
  listEditsSinceFileOptions,
  readPayeeSettingsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Parts } from '../../../ui/parts.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { groupsOptions } from '../../shell/groups.ts';
import { StaffRulesForm } from '../../staff-rules-form.tsx';
import { Branding } from './branding.tsx';
import { Buyers } from './buyers.tsx';
import { Channels } from './channels.tsx';
import { GroupSettings } from './group-settings.tsx';
import { Installation } from './installation.tsx';
import { NextSteps } from './next-steps.tsx';
import { Payments } from './payments.tsx';
import { ProgramFile } from './program-file.tsx';
import { PublisherName } from './publisher-name.tsx';
import { Section } from './section.tsx';
import { WithSectionList } from './section-list.tsx';
import { SectionsSkeleton } from './sections-skeleton.tsx';

export function Screen() {
  const { publisherId, may } = usePublisher();
  const asked = { path: { publisherId } };
  const settings = useQuery(getSettingsOptions(asked));
  const branding = useQuery(getBrandingOptions(asked));
  const groups = useQuery(groupsOptions(publisherId));
  // The sections below load these themselves. They are read here so that all parts load at once, and fail as one.
  const files = useQuery({ ...readPayeeSettingsOptions(asked), enabled: may('payees') });
  const edits = useQuery(listEditsSinceFileOptions(asked));
  const rules = useQuery(getStaffRulesOptions(asked));
  const channels = useQuery({ ...listChannelsOptions(asked), enabled: may('team') });
  return (
    <ScreenPage
      title={t('Settings')}
      about={t('Settings for the whole publisher. Changes are recorded in the audit log.')}
    >
      {/* Shown together so that a section doesn't shift the sections below it when it loads. */}
      <Parts
        queries={[settings, branding, groups, files, edits, rules, channels]}
        isLoading={settings.isPending || branding.isPending || groups.isPending}
        loading={<SectionsSkeleton />}
      >
        <WithSectionList>
          {groups.data?.length === 0 && <NextSteps />}
          {settings.error !== null && (
            <ErrorNotice
              error={settings.error}
              title={t('Couldn’t load the settings')}
              onRetry={() => void settings.refetch()}
            />
          )}
          {settings.data !== undefined && <PublisherName settings={settings.data} />}
          {branding.error !== null && (
            <ErrorNotice
              error={branding.error}
              title={t('Couldn’t load the settings')}
              onRetry={() => void branding.refetch()}
            />
          )}
          {branding.data !== undefined && <Branding branding={branding.data} />}
          <GroupSettings groups={groups} />
          {settings.data !== undefined && <Buyers settings={settings.data} />}
          {settings.data !== undefined && <Payments settings={settings.data} />}
          <ProgramFile />
          <Section title={t('Security')} about={t('Rules for everyone on your team.')}>
            <StaffRulesForm />
          </Section>
          {may('team') && <Channels />}
          {settings.data !== undefined && <Installation installation={settings.data.installation} />}
        </WithSectionList>
      </Parts>
    </ScreenPage>
  );
}
