import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { LivePart } from './live-part.tsx';
import { SandboxPart } from './sandbox-part.tsx';

export function Screen() {
  const { sandboxOf } = usePublisher();
  return (
    <ScreenPage
      title={t('Sandbox')}
      about={t(
        'A copy of your program to test payouts, schedules and bounties. You advance its clock, and nothing in it is real.',
      )}
    >
      {sandboxOf === null ? <LivePart /> : <SandboxPart />}
    </ScreenPage>
  );
}
