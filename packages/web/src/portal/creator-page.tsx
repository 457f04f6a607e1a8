import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../ui/text.ts';
import classes from './creator-page.module.css';
import { isFirstPlace } from './place.ts';

/** Page with its heading, which takes the focus when the person came from another page. */
export function CreatorPage({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('Creators')}`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPlace()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.heading}>
        {title}
      </Title>
      {children}
    </>
  );
}
