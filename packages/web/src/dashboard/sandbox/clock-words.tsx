import { useEffect, useState } from 'react';
import { t } from '../../ui/text.ts';
import { When } from '../../ui/when.tsx';
import { usePublisher } from '../session/session.ts';
import { dayMs } from './use-clock.ts';

const refreshMs = 30_000;

export function ClockWords() {
  const { nowMs, clockAheadMs } = usePublisher();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((count) => count + 1), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      {t('Its clock is at')} <When at={new Date(nowMs()).toISOString()} /> ({aheadWords(clockAheadMs)}).
    </>
  );
}

export const aheadWords = (aheadMs: number): string =>
  aheadMs === 0
    ? t('same as real time')
    : t('{days, plural, =0 {less than a day ahead} one {# day ahead} other {# days ahead}}', {
        days: Math.round(aheadMs / dayMs - 0.1),
      });
