import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './ui/base.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { Dashboard } from './dashboard/dashboard.tsx';
import { screens } from './dashboard/screens.ts';
import { activateLocale } from './ui/locale.ts';
import { preferences } from './ui/preferences.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce); // for what locks the page's scrolling while a dialog is open
// The code of the screen comes while the service says who is signed in. The router reports when it does not come.
const asked = screens.find(({ path }) => path === window.location.pathname.split('/')[3]);
void asked?.load().catch(() => undefined);
await activateLocale(preferences().locale);
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Dashboard nonce={nonce} />);
