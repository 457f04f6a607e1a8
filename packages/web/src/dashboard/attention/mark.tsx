import { Icon } from '../../ui/icons.tsx';
import classes from './attention.module.css';

/** Icon for a failure, or for work that is waiting for a person. */
export const Mark = ({ isTask = false }: { isTask: boolean | undefined }) => (
  <span className={classes.mark} data-task={isTask || undefined}>
    <Icon name={isTask ? 'pending' : 'alert'} size={16} />
  </span>
);
