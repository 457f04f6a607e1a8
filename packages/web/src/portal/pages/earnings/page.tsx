import { usePlace } from '../../place.ts';
import { EarningList } from './earning-list.tsx';
import { Explanation } from './explanation.tsx';

/** The list of purchases at `/earnings`, and the explanation of one at `/earnings/<id>`. */
export function Page() {
  const { path } = usePlace();
  const [, , earningId] = path.split('/');
  return earningId === undefined ? (
    <EarningList />
  ) : (
    <Explanation earningId={decodeURIComponent(earningId)} />
  );
}
