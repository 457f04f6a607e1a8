import { Box, NavLink, Stack } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useEffect, useState } from 'react';
import { t } from '../../../ui/text.ts';
import classes from './section-list.module.css';

/** Function that adds a section to the list, and returns the function that removes it again. */
export const NoteSection = createContext<(id: string, title: string) => () => void>(() => () => {});

interface ListedSection {
  /** ID of the section's heading. */
  id: string;
  title: string;
}

/** Sections, and in a wide window a list of them that stays in view and marks the section being read. */
export function WithSectionList({ children }: { children: ReactNode }) {
  const [sections, setSections] = useState<readonly ListedSection[]>([]);
  const note = useCallback((id: string, title: string) => {
    setSections((before) => [...before, { id, title }].sort(byPlace));
    return () => setSections((before) => before.filter((each) => each.id !== id));
  }, []);
  const current = useCurrent(sections);
  return (
    <NoteSection value={note}>
      <Box className={classes.columns}>
        <Stack gap="lg">{children}</Stack>
        <Box component="nav" className={classes.list} aria-label={t('Sections')}>
          {sections.map(({ id, title }) => (
            <NavLink
              key={id}
              component="button"
              label={title}
              active={id === current}
              onClick={() => {
                const heading = document.getElementById(id);
                heading?.closest('section')?.scrollIntoView({ block: 'start' });
                heading?.focus({ preventScroll: true });
              }}
            />
          ))}
        </Box>
      </Box>
    </NoteSection>
  );
}

/** Sections register in any order, such as when one loads later than the others. */
function byPlace(one: ListedSection, other: ListedSection): number {
  const [first, second] = [document.getElementById(one.id), document.getElementById(other.id)];
  if (first === null || second === null) return 0;
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** Returns the ID of the topmost section in view. */
function useCurrent(sections: readonly ListedSection[]): string | undefined {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = target.getAttribute('aria-labelledby') ?? '';
          if (isIntersecting) seen.add(id);
          else seen.delete(id);
        }
        setVisible(new Set(seen));
      },
      { rootMargin: '-72px 0px -40% 0px' }, // below the header, and not only at the bottom of the window
    );
    for (const { id } of sections) {
      const section = document.getElementById(id)?.closest('section');
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections]);
  return sections.find(({ id }) => visible.has(id))?.id;
}
