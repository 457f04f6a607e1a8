import { useParams } from '@tanstack/react-router';
import { ConnectorList } from './connector-list.tsx';
import { ConnectorPage } from './connector-page.tsx';

export function Screen() {
  const { _splat: connectorId } = useParams({ strict: false }) as { _splat?: string };
  return connectorId ? <ConnectorPage connectorId={connectorId} /> : <ConnectorList />;
}
