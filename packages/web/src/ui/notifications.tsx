import { Notifications as Shown } from '@mantine/notifications';
import classes from './notifications.module.css';

/** Centered, because drawers have their buttons at the end of the page. On a phone, above the buttons at the bottom. */
export const Notifications = () => <Shown position="bottom-center" limit={4} className={classes.shown} />;
