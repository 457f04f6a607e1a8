import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { Link } from '../link.tsx';
import { pageAt, pages } from '../pages.ts';
import { usePlace } from '../place.ts';
import classes from './shell.module.css';

/** Navigation: a bar at the bottom of a phone, or beside the publisher in a wide window. */
export function Bar() {
  const { path } = usePlace();
  const shown = pageAt(path)?.path;
  return (
    <nav className={classes.bar} aria-label={t('Pages')}>
      <ul>
        {pages.map(
          ({ path: to, entry }) =>
            entry !== null && (
              <li key={to}>
                <Link to={to} className={classes.place} aria-current={shown === to ? 'page' : undefined}>
                  <Icon name={entry.icon} size={22} />
                  <span>{t(entry.label)}</span>
                </Link>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
