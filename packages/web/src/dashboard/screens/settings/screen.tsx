import { useQuery } from '@tanstack/react-query';
import {
  getBrandingOptions,
  getSettingsOptions,
  listCreatorGroupsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
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

export function Screen() {
  const { publisherId, may } = usePublisher();
  const settings = useQuery(getSettingsOptions({ path: { publisherId } }));
  const branding = useQuery(getBrandingOptions({ path: { publisherId } }));
  const groups = useQuery(listCreatorGroupsOptions({ path: { publisherId } }));
  return (
    <ScreenPage
      title={t('Settings')}
      about={t('Settings for the whole publisher. Changes are recorded in the audit log.')}
    >
      {/* Shown together so that a section doesn't shift the sections below it when it loads. */}
      {settings.isPending || branding.isPending || groups.isPending ? (
        <LateSkeleton lines={12} />
      ) : (
        <WithSectionList>
          {groups.data?.rows.length === 0 && <NextSteps />}
          {settings.error !== null && (
            <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />
          )}
          {settings.data !== undefined && <PublisherName settings={settings.data} />}
          {branding.error !== null && (
            <ErrorNotice error={branding.error} onRetry={() => void branding.refetch()} />
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
      )}
    </ScreenPage>
  );
}
