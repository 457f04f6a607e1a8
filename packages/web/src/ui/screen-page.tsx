import { Box, Group, Text, Title } from '@mantine/core';
import {
  createContext,
  Fragment,
  isValidElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react';
import { MoreActions } from './more-actions.tsx';
import classes from './screen-page.module.css';
import { t } from './text.ts';
import { useNarrow } from './use-narrow.ts';

interface ScreenPageProps {
  title: string;
  /** Sentence below the title, if the title needs an explanation. */
  about?: ReactNode;
  /** Selectors for what the screen shows, such as a view or a period. They stay at the top on a phone. */
  tools?: ReactNode;
  /** Buttons for less frequent actions. On a phone, they are behind a button if there is a main action. */
  actions?: ReactNode;
  /** Buttons that save the screen's content as a file. On a phone, they are at the top, because they are no main action. */
  exports?: ReactNode;
  /**
   * Buttons for rare actions. They are behind a button, on a phone together with the less frequent ones or, if there are no
   * others, beside the title.
   */
  moreActions?: readonly ReactNode[];
  /** Button for the screen's main action. On a phone, it is at the bottom. */
  mainAction?: ReactNode;
  /** True for the page of a single thing, whose content doesn't depend on the choice beside the title. */
  isOfOneThing?: boolean;
  children: ReactNode;
}

/** Choice that applies to the whole screen. On a phone, whose header has no room for it, it is beside the title. */
export const TitleChoice = createContext<ReactNode>(null);

/**
 * Row of the screen's tools, for a button of its content that a phone shows beside them. Null until it is there, and
 * undefined if the screen has no tools.
 */
export const ToolRow = createContext<HTMLElement | null | undefined>(undefined);

/** Returns whether content is one element, and not a fragment with several. */
const isElement = (content: ReactNode): boolean => isValidElement(content) && content.type !== Fragment;

/** Layout of a screen: heading, actions and content. Sets the window title. */
export function ScreenPage({
  title,
  about,
  tools,
  actions,
  exports,
  moreActions = [],
  mainAction,
  isOfOneThing = false,
  children,
}: ScreenPageProps) {
  const isNarrow = useNarrow();
  const choice = useContext(TitleChoice);
  const hasChoice = isNarrow && choice !== null && !isOfOneThing;
  const [toolRow, setToolRow] = useState<HTMLElement | null>(null);
  const rareCount = moreActions.filter(Boolean).length;
  // A phone's bar is for actions that are frequent enough to be within reach of a thumb.
  const isMenuAtTitle = isNarrow && !mainAction && !actions && rareCount > 1;
  // A single action needs no button that shows it.
  const rare = rareCount > 1 ? <MoreActions isBrief={isMenuAtTitle}>{moreActions}</MoreActions> : moreActions;
  const isSingle = actions ? isElement(actions) && rareCount === 0 : rareCount === 1;
  const main = mainAction ? <div className={classes.main}>{mainAction}</div> : null;
  useEffect(() => {
    document.title = `${title} · ${t('Creator attribution')}`;
  }, [title]);
  return (
    <Box className={classes.page}>
      <Group
        justify="space-between"
        align="flex-start"
        mb={isNarrow ? 'sm' : 'md'}
        className={classes.head}
        data-stacked={hasChoice || isOfOneThing}
        data-menu={isMenuAtTitle || undefined}
      >
        <Box className={classes.heading}>
          <Title order={1} size="h2" tabIndex={-1} className={classes.title} data-screen-title>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" component="div" className={classes.about}>
              {about}
            </Text>
          )}
        </Box>
        {hasChoice && <Box className={classes.choice}>{choice}</Box>}
        {isMenuAtTitle && rare}
        <Group gap="xs" ref={setToolRow} className={classes.tools}>
          {tools}
          {exports}
          {!isNarrow && actions}
          {!isNarrow && rare}
          {!isNarrow && main}
        </Group>
      </Group>
      <ToolRow value={tools === undefined && exports === undefined ? undefined : toolRow}>{children}</ToolRow>
      {isNarrow && (
        <Group className={classes.bar} role="group" data-bottom-bar aria-label={t('Actions')}>
          {mainAction && !isSingle ? (
            <MoreActions>
              {actions}
              {moreActions}
            </MoreActions>
          ) : (
            <>
              {actions}
              {!isMenuAtTitle && rare}
            </>
          )}
          {main}
        </Group>
      )}
    </Box>
  );
}
