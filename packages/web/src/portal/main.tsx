import './styles.css';
import '../ui/theme/font.css';
import '../ui/theme/base.css';
import { createRoot } from 'react-dom/client';
import { activateLocale } from '../ui/locale.ts';
import { preferences } from '../ui/preferences.ts';
import { queryClient } from './api.ts';
import { pageAt } from './pages.ts';
import { currentPlace } from './place.ts';
import { Portal } from './portal.tsx';
import { accountsQuery, storedPublisher } from './publisher.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Loads the page's code and its data while the language is being read. If that fails, the page reports it.
const page = pageAt(currentPlace().path);
const lastPublisher = storedPublisher();
void page
  ?.load()
  .then(({ prefetch }) => (lastPublisher === null ? undefined : prefetch?.(lastPublisher)))
  .catch(() => undefined);
if (page?.needs !== 'public') void queryClient.prefetchQuery(accountsQuery);
await activateLocale(preferences().locale);
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Portal nonce={nonce} />);
