import './dashboard/components.css';
import '@mantine/notifications/styles.layer.css';
import './ui/theme/font.css';
import './ui/theme/base.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { Dashboard } from './dashboard/dashboard.tsx';
import { screens } from './dashboard/screens.ts';
import { activateLocale } from './ui/locale.ts';
import { preferences } from './ui/preferences.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce); // for the styles that lock scrolling while a dialog is open
// Loads the screen's code while the session is being read. If that fails, the router reports it.
const screen = screens.find(({ path }) => path === window.location.pathname.split('/')[3]);
void screen?.load().catch(() => undefined);
await activateLocale(preferences().locale);
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Dashboard nonce={nonce} />);
