import './styles.css';
import '../ui/theme/font.css';
import '../ui/theme/base.css';
import { createRoot } from 'react-dom/client';
import { activateLocale } from '../ui/locale.ts';
import { preferences } from '../ui/preferences.ts';
import { pageAt } from './pages.ts';
import { currentPlace } from './place.ts';
import { Portal } from './portal.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Loads the page's code while the language is being read. If that fails, the page reports it.
void pageAt(currentPlace().path)
  ?.load()
  .catch(() => undefined);
await activateLocale(preferences().locale);
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Portal nonce={nonce} />);
