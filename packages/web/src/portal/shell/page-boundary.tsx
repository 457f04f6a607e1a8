import { Component, type ReactNode } from 'react';
import { t } from '../../ui/text.ts';
import { CreatorPage } from '../creator-page.tsx';
import { Failing } from '../failing.tsx';

/** Shows an error instead of a page that failed, for example because its code couldn't be loaded. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <CreatorPage title={t('This page couldn’t be shown')}>
        <Failing
          error={new Error(t('Check your internet connection, then try again.'))}
          onRetry={() => window.location.reload()}
        />
      </CreatorPage>
    );
  }
}
