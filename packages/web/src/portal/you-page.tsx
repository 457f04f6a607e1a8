import type { ReactNode } from 'react';
import { t } from '../ui/text.ts';
import { CreatorPage } from './creator-page.tsx';
import { Back } from './list.tsx';

/** Page that You links to, with the way back. */
export const YouPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <Back to="/you">{t('You')}</Back>
    <CreatorPage title={title}>{children}</CreatorPage>
  </>
);
