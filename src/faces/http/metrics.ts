import { Counter, Histogram, Registry } from 'prom-client'
import type { Meter } from '../../gateway/telling/meter.js'

/** The one door to prom-client: what the gateway counts, and how long requests take. */
export interface Metrics {
  readonly meter: Meter
  readonly contentType: string
  /** A request was answered; the route is its pattern, never a path with names in it. */
  request(method: string, route: string, status: number, seconds: number): void
  text(): Promise<string>
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Numbers of their own for each server, so that two in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = histogram(registry, 'http_request_duration_seconds', 'Requests answered.', [
    'method',
    'route',
    'status',
  ])
  return {
    meter: createMeter(registry),
    contentType: registry.contentType,
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    text: () => registry.metrics(),
  }
}

function createMeter(registry: Registry): Meter {
  const batches = counter(registry, 'batches_total', 'Batches by what became of them.', [
    'result',
    'code',
  ])
  const batchSeconds = histogram(registry, 'batch_duration_seconds', 'Time a batch took.', [])
  const matches = counter(registry, 'matches_total', 'Ops by the level they matched at.', ['level'])
  const conflicts = counter(registry, 'conflicts_total', 'Revisions that had moved.', [])
  const bytes = counter(registry, 'bytes_total', 'Bytes of files served and stored.', ['direction'])
  const readSeconds = histogram(registry, 'read_duration_seconds', 'Time a read took.', [])
  const cancels = counter(registry, 'cancels_total', 'Requests cancelled before a commit.', [])
  return {
    batch: (result, code, ms) => {
      batches.inc({ result, code })
      batchSeconds.observe(ms / 1_000)
    },
    match: (level, count) => matches.inc({ level }, count),
    conflict: () => conflicts.inc(),
    bytes: (direction, count) => bytes.inc({ direction }, count),
    read: ms => readSeconds.observe(ms / 1_000),
    cancel: () => cancels.inc(),
  }
}

function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Counter<Label> {
  return new Counter({ name: `editlatch_${name}`, help, labelNames, registers: [registry] })
}

function histogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Histogram<Label> {
  const registers = [registry]
  return new Histogram({ name: `editlatch_${name}`, help, labelNames, buckets, registers })
}
