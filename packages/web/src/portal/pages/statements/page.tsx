import { usePlace } from '../../place.ts';
import { StatementDetail } from './statement-detail.tsx';
import { StatementList } from './statement-list.tsx';

/** The list of statements at `/statements`, and one of them at `/statements/<id>`. */
export function Page() {
  const { path } = usePlace();
  const [, , statementId] = path.split('/');
  return statementId === undefined ? (
    <StatementList />
  ) : (
    <StatementDetail statementId={decodeURIComponent(statementId)} />
  );
}
