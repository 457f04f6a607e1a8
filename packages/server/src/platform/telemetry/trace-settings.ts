import { collectorUrl, headerList, part, type Setting } from '../setting-parsers.ts';

export interface TraceConfig {
  /** URL without a trailing slash; null disables tracing. */
  readonly otlpEndpoint: string | null;
  readonly otlpHeaders: Record<string, string>;
  readonly otelServiceName: string;
  /** Fraction of new traces that are sampled, 0 to 1. */
  readonly traceRatio: number;
}

export const traceSettings: { readonly [Key in keyof TraceConfig]: Setting<TraceConfig[Key]> } = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    meaning:
      'Collector that receives [traces](tracing.md) as OTLP over HTTP in JSON, such as `http://127.0.0.1:4318`. If it is not set, tracing is off.',
    parse: collectorUrl,
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: '',
    meaning: 'Headers to send to the collector, as `authorization=Bearer%20…,x-tenant=games`.',
    parse: headerList,
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'attribution',
    meaning: 'Name of this service in traces.',
    parse: (text) => text,
  },
  traceRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    meaning:
      'Fraction of new traces that are sampled, 0 to 1. For a request with `traceparent` and a secret key, the caller decides whether to sample it.',
    parse: part,
  },
};
