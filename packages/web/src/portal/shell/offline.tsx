import { useSyncExternalStore } from 'react';
import { t } from '../../ui/text.ts';
import classes from './shell.module.css';

/** Notice that is shown while the phone has no connection. */
export function Offline() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && <p className={classes.offline}>{t('You’re offline. Amounts may be out of date.')}</p>}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
