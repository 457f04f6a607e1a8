import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { usePublisher } from '../../session/session.ts';
import { LivePart } from './live-part.tsx';
import { SandboxPart } from './sandbox-part.tsx';

/** A copy of the publisher to rehearse in; there, its clock, and purchases. */
export function Screen() {
  const { sandboxOf } = usePublisher();
  return (
    <ScreenPage
      title={t('Sandbox')}
      about={t(
        'A copy of the program to rehearse in: what will be due, what a schedule does, whether a bounty completes. Its clock moves forward when you say so, and nothing there is real.',
      )}
    >
      {sandboxOf === null ? <LivePart /> : <SandboxPart />}
    </ScreenPage>
  );
}
