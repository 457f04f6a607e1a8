import { Notifications as Shown } from '@mantine/notifications';

/** Centered, because drawers have their buttons at the end of the page. */
export const Notifications = () => <Shown position="bottom-center" limit={4} />;
