import type { Attributes, SpanContext } from '@opentelemetry/api';
import { type Config, version } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Log } from './log.ts';
import { type FinishedSpan, type Trace, traceWith } from './tracing.ts';

const warnEveryMs = 60_000;
const exportEveryMs = 1_000;
const maxQueuedSpans = 8_192;
const maxExportedSpans = 512;
const exportTimeoutMs = 10_000;

/**
 * Starts sending spans to OTEL_EXPORTER_OTLP_ENDPOINT. OpenTelemetry's SDK is loaded only here, so it doesn't have to
 * be installed if tracing is off. The queue is bounded; spans that don't fit are dropped.
 * @returns an object whose `stop` sends the queued spans and ends tracing, or null if tracing is off
 * @throws OperatorError if the SDK isn't installed
 */
export async function startTracing(config: Config, log: Log): Promise<{ stop(): Promise<void> } | null> {
  const { otlpEndpoint, otlpHeaders, otelServiceName, traceRatio } = config;
  if (otlpEndpoint === null) return null;
  const { api, sdk, exporters, resources } = await loadSdk();
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warn = (message: string): void => {
    if (performance.now() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = performance.now();
    log.warn(`couldn't send spans: ${message.slice(0, 500)}`);
  };
  const ignore = (): void => undefined;
  api.diag.setLogger(
    { error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { suppressOverrideMessage: true },
  );
  // Set the ids that other spans already refer to before the SDK creates the span and reads them.
  let given: Trace | null = null;
  const random = new sdk.RandomIdGenerator();
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': otelServiceName,
      'service.version': version,
      'process.pid': process.pid,
    }),
    sampler: new sdk.AlwaysOnSampler(), // unsampled spans never reach the SDK
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    spanLimits: { attributeValueLengthLimit: 1_000 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporters.OTLPTraceExporter({
          url: `${otlpEndpoint}/v1/traces`,
          headers: otlpHeaders,
          timeoutMillis: exportTimeoutMs,
        }),
        scheduledDelayMillis: exportEveryMs,
        maxQueueSize: maxQueuedSpans,
        maxExportBatchSize: maxExportedSpans,
      }),
    ],
  });
  const tracer = provider.getTracer('attribution', version);
  const asContext = (trace: Trace, isRemote: boolean): SpanContext => ({
    ...trace,
    traceFlags: api.TraceFlags.SAMPLED,
    isRemote,
  });
  const kinds = {
    server: api.SpanKind.SERVER,
    producer: api.SpanKind.PRODUCER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  };
  const save = (span: FinishedSpan): void => {
    const { name, kind = 'internal', own, parent, startedAt, links = [], attributes = {} } = span;
    const around =
      parent === null
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, asContext(parent, kind === 'server'));
    given = own ?? null;
    const made = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        startTime: startedAt,
        attributes: attributes as Attributes,
        links: links.map((link) => ({ context: asContext(link, true) })),
      },
      around,
    );
    given = null;
    if (span.error != null) {
      made.setAttribute('error.type', span.error);
      made.setStatus({ code: api.SpanStatusCode.ERROR, message: span.error });
    }
    made.end(span.endedAt ?? performance.now());
  };
  traceWith({ ratio: traceRatio, save });
  return {
    async stop() {
      traceWith(null);
      await provider.shutdown().catch((error: unknown) => warn(String(error)));
      api.diag.disable();
    },
  };
}

async function loadSdk() {
  try {
    const [api, sdk, exporters, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, exporters, resources };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      "OTEL_EXPORTER_OTLP_ENDPOINT requires OpenTelemetry's SDK, which is not installed. Run `npm ci` with optional packages, or remove the setting.",
    );
  }
}
