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
      about={t('Rehearse payouts, schedules, and bounties with a clock that you advance. Nothing is real.')}
    >
      {sandboxOf === null ? <LivePart /> : <SandboxPart />}
    </ScreenPage>
  );
}
