import { collectorUrl, headerList, part, type Setting } from '../setting-parsers.ts';

export interface TraceConfig {
  /** Without a slash at the end; null: no traces. */
  readonly otlpEndpoint: string | null;
  readonly otlpHeaders: Record<string, string>;
  readonly otelServiceName: string;
  /** 0 … 1 */
  readonly traceRatio: number;
}

export const traceSettings: { readonly [Key in keyof TraceConfig]: Setting<TraceConfig[Key]> } = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    meaning:
      'Where [traces](tracing.md) are sent, such as `http://127.0.0.1:4318`: a collector that takes OTLP over HTTP, in JSON. Without it there are none.',
    parse: collectorUrl,
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: '',
    meaning: 'What is sent to it in headers, as `authorization=Bearer%20…,x-tenant=games`.',
    parse: headerList,
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'attribution',
    meaning: 'What this service is called in traces.',
    parse: (text) => text,
  },
  traceRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    meaning:
      'The part of the traces that begin here which is kept, 0 to 1. Of a request with `traceparent` and a secret key the caller has decided.',
    parse: part,
  },
};
