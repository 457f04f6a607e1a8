import type { Attributes, SpanContext } from '@opentelemetry/api';
import { type Config, version } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import type { Log } from './log.ts';
import { type FinishedSpan, type Trace, traceWith } from './tracing.ts';

const complainEveryMs = 60_000;
const exportEveryMs = 1_000;
const maxWaiting = 8_192;
const maxAtOnce = 512;
const exportTimeoutMs = 10_000;

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT. Only then OpenTelemetry's SDK is loaded, which need not be installed otherwise.
 * Of what waits to be sent there is a bound; past it spans are lost, and nothing else is.
 * @returns what sends the rest and stops; null when tracing is off
 * @throws OperatorError when the SDK is not installed
 */
export async function startTracing(config: Config, log: Log): Promise<{ stop(): Promise<void> } | null> {
  const { otlpEndpoint, otlpHeaders, otelServiceName, traceRatio } = config;
  if (otlpEndpoint === null) return null;
  const { api, sdk, exporters, resources } = await loadSdk();
  let complainedMs = Number.NEGATIVE_INFINITY;
  const complain = (message: string): void => {
    if (performance.now() - complainedMs < complainEveryMs) return;
    complainedMs = performance.now();
    log.warn(`spans could not be sent: ${message.slice(0, 500)}`);
  };
  const ignore = (): void => undefined;
  api.diag.setLogger(
    { error: complain, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { suppressOverrideMessage: true },
  );
  // Ids that others know already are given; the SDK asks for them while it makes the span.
  let given: Trace | null = null;
  const random = new sdk.RandomIdGenerator();
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': otelServiceName,
      'service.version': version,
      'process.pid': process.pid,
    }),
    sampler: new sdk.AlwaysOnSampler(), // what is not kept is not handed over
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
        maxQueueSize: maxWaiting,
        maxExportBatchSize: maxAtOnce,
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
      await provider.shutdown().catch((error: unknown) => complain(String(error)));
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
      "OTEL_EXPORTER_OTLP_ENDPOINT needs OpenTelemetry's SDK, which is not installed: run `npm ci` with optional packages, or leave the setting out.",
    );
  }
}
