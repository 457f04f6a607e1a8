import { useParams } from '@tanstack/react-router';
import { EndpointList } from './endpoint-list.tsx';
import { EndpointPage } from './endpoint-page.tsx';

export function Screen() {
  const { _splat: endpointId } = useParams({ strict: false }) as { _splat?: string };
  return endpointId ? <EndpointPage endpointId={endpointId} /> : <EndpointList />;
}
