import { NavLink, ScrollArea } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { screens } from '../screens.ts';
import { usePublisher } from '../session/session.ts';

/** Links to the screens that the role can see. The links preserve the chosen group. */
export function Navigation({ onNavigate }: { onNavigate(): void }) {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const here = useLocation({ select: ({ pathname }) => pathname.split('/')[3] });
  const search = query.group === undefined ? {} : { group: query.group };
  return (
    <ScrollArea type="auto">
      {screens
        .filter(({ permission }) => may(permission))
        .map(({ path, title, icon, section }, at, shown) => (
          <NavLink
            key={path}
            label={t(title)}
            leftSection={<Icon name={icon} />}
            active={here === path}
            mt={at > 0 && shown[at - 1]?.section !== section ? 'xs' : undefined}
            aria-current={here === path ? 'page' : undefined}
            onClick={onNavigate}
            renderRoot={(props) => (
              <Link
                {...props}
                to={`/p/$publisherId/${path}`}
                params={{ publisherId } as never}
                search={search as never}
              />
            )}
          />
        ))}
    </ScrollArea>
  );
}
