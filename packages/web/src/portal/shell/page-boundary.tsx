import { Component, type ReactNode } from 'react';
import { t } from '../../ui/text.ts';
import { CreatorPage } from '../creator-page.tsx';
import { Failing } from '../failing.tsx';
import { PageNotLoaded } from '../pages.ts';

/** Shows an error instead of a page that failed. Its code may not have loaded, or it has a defect. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidMount(): void {
    window.addEventListener('online', this.#loadAgain);
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.#loadAgain);
  }

  /** Loads a page again whose code didn't load. */
  readonly #loadAgain = (): void => {
    if (this.state.error instanceof PageNotLoaded) reload();
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <CreatorPage title={t('This page couldn’t be shown')}>
        <Failing
          error={
            new Error(
              error instanceof PageNotLoaded
                ? t('Check your internet connection, then try again.')
                : t('Try again. If it fails again, tell your publisher.'),
            )
          }
          onRetry={reload}
        />
      </CreatorPage>
    );
  }
}

/** Reloads the document, except offline, where the browser's own error page would replace the portal. */
function reload(): void {
  if (navigator.onLine) window.location.reload();
}
