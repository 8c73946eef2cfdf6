/** Memory and processor time of the processes of a suite, from Linux. */
import type { Suite } from '@suite/local/suite';
import { processorTime } from '../bench/load/processor-time.ts';
import { residentMiB } from '../load/resident-memory.ts';

/** The state of all processes at a time. */
export interface Usage {
  /** Resident memory of the gateway, in MiB. */
  gateway_mib: number;
  /** Processor time of the gateway, in µs. */
  gateway_us: number;
  /** Processor time of all services, in µs. */
  services_us: number;
}

/** All measurements of a run. */
export interface Measured {
  streams: number;
  before: Usage;
  open: Usage;
  idle: Usage;
  after: Usage;
  idle_ms: number;
  /** Time from the response to a write until its change has arrived in all streams of its workspace. */
  arrivals_ms: number[];
}

/** Programs that are not services. */
const OTHERS = new Set(['gateway', 'postgres', 'nats']);

/** Measures all processes now. */
export function measure({ gateway }: Suite['processes']): Usage {
  const times = processorTime();
  const services = Object.entries(times).filter(([name]) => !OTHERS.has(name));
  return {
    gateway_mib: residentMiB(gateway!.pid()),
    gateway_us: times['gateway'] ?? 0,
    services_us: services.reduce((sum, [, taken_us]) => sum + taken_us, 0),
  };
}
