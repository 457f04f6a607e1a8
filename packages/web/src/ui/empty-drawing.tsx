import classes from './empty-drawing.module.css';
import { Icon, type IconName } from './icons.tsx';

/** Small drawing above an empty list: blank sheets with the screen's icon. */
export function EmptyDrawing({ icon }: { icon: IconName }) {
  return (
    <span className={classes.drawing}>
      <svg width="128" height="84" viewBox="0 0 128 84" aria-hidden="true" focusable="false">
        <rect className={classes.sheet} x="30" y="3" width="68" height="52" rx="8" />
        <rect className={classes.sheet} x="20" y="12" width="88" height="56" rx="8" />
        <rect className={classes.front} x="10" y="22" width="108" height="59" rx="8" />
        <path className={classes.line} d="M66 40h38M66 52h28M66 64h34" />
      </svg>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
    </span>
  );
}
