import { Loader, Transition } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { announce } from './announce.tsx';
import classes from './pull-to-refresh.module.css';
import { t } from './text.ts';
import { motion } from './theme/tokens.ts';

/** Distance in pixels that a finger must pull to reload the page's data on release. */
const threshold = 88;

/**
 * Reloads the page's data when a finger pulls the page down from its top, as in phone apps. Drawers and dialogs scroll
 * by themselves, so pulling them does nothing.
 * @param onRefresh resolves once the data is up to date
 */
export function PullToRefresh({ onRefresh }: { onRefresh(): Promise<unknown> }) {
  const [state, setState] = useState<'idle' | 'far' | 'busy'>('idle');
  const current = useRef({ state, onRefresh });
  current.current = { state, onRefresh };
  useEffect(() => {
    let startY: number | null = null;
    const start = (event: TouchEvent): void => {
      const [finger] = event.touches;
      const isOnPage = event.target instanceof Element && event.target.closest('main') !== null;
      const mayPull = isOnPage && window.scrollY <= 0 && event.touches.length === 1;
      startY = mayPull && current.current.state === 'idle' ? (finger?.clientY ?? null) : null;
    };
    const move = (event: TouchEvent): void => {
      if (startY === null) return;
      const isFar = (event.touches[0]?.clientY ?? 0) - startY > threshold && window.scrollY <= 0;
      setState(isFar ? 'far' : 'idle');
    };
    const end = (): void => {
      startY = null;
      if (current.current.state !== 'far') return;
      setState('busy');
      void current.current.onRefresh().finally(() => {
        announce(t('Reloaded'));
        setState('idle');
      });
    };
    const cancel = (): void => {
      startY = null;
      if (current.current.state === 'far') setState('idle');
    };
    const options = { passive: true };
    window.addEventListener('touchstart', start, options);
    window.addEventListener('touchmove', move, options);
    window.addEventListener('touchend', end, options);
    window.addEventListener('touchcancel', cancel, options);
    return () => {
      window.removeEventListener('touchstart', start);
      window.removeEventListener('touchmove', move);
      window.removeEventListener('touchend', end);
      window.removeEventListener('touchcancel', cancel);
    };
  }, []);
  return (
    <Transition mounted={state !== 'idle'} transition="slide-down" duration={motion.small}>
      {(style) => (
        <div className={classes.sign} style={style} role="status">
          <Loader size={18} type={state === 'busy' ? 'oval' : 'bars'} />
          {state === 'busy' ? t('Reloading…') : t('Release to reload')}
        </div>
      )}
    </Transition>
  );
}
