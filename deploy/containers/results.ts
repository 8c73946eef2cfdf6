/** The page with the results of `npm run containers`. */

/** Measured values of one container. */
export interface MeasuredContainer {
  name: string;
  /** Size of the image in addition to Node.js, in bytes; undefined for servers. */
  own_bytes: number | undefined;
  /** Time from the start of the pod until it is ready, with its migrations, in seconds. */
  ready_s: number;
  memory_bytes: number;
  limit_bytes: number;
  stop_s: number;
  exit_code: number;
  /** Longest time to stop, in seconds. */
  grace_s: number;
  /** Whether the container runs a process of the suite. */
  is_process: boolean;
}

/** A whole run. */
export interface ContainersRun {
  containers: readonly MeasuredContainer[];
  /** Time from the start of the first pod to the first response with data, in seconds. */
  first_response_s: number;
  /** Origin of NATS and PostgreSQL. */
  origin: string;
  /** Machine and date, as a sentence. */
  machine: string;
}

/** Longest time to the first response, in seconds. */
const FIRST_RESPONSE_S = 60;
const MB = 1e6;
const MIB = 2 ** 20;

/** Returns the goals that a run has missed, as sentences. */
export function missedGoals({ containers, first_response_s }: ContainersRun): string[] {
  return [
    ...(first_response_s <= FIRST_RESPONSE_S
      ? []
      : [`The first response took ${first_response_s.toFixed(0)} s, more than ${FIRST_RESPONSE_S} s.`]),
    ...containers.flatMap(({ name, exit_code, is_process, stop_s, grace_s }) => [
      ...(is_process && exit_code !== 0 ? [`${name} stopped with the exit code ${exit_code} instead of 0.`] : []),
      ...(stop_s <= grace_s ? [] : [`${name} needed ${stop_s.toFixed(0)} s to stop, more than ${grace_s} s.`]),
    ]),
  ];
}

function line({ name, own_bytes, ready_s, memory_bytes, limit_bytes, stop_s, exit_code }: MeasuredContainer): string {
  const cells = [
    name,
    own_bytes === undefined ? '–' : (own_bytes / MB).toFixed(0),
    ready_s.toFixed(1),
    `${(memory_bytes / MIB).toFixed(0)} of ${(limit_bytes / MIB).toFixed(0)}`,
    stop_s.toFixed(1),
    exit_code,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the page in Markdown. */
export const page = (run: ContainersRun): string =>
  [
    '# Containers: the chart’s pods under podman',
    '',
    'Written by `npm run containers`, which builds the images from `deploy/docker/Dockerfile` and runs the pods of `values-small.yaml`.',
    '',
    '- **Image**: size in addition to `node:24-slim`, with fonts.',
    '- **Ready**: time from the start of the pod until its readiness probe succeeds, with migrations. All processes start at the same time.',
    '- **Memory**: working set after the first calls, and the limit.',
    '- **Stop**: time from the stop signal to the end, with `SHUTDOWN_GRACE_MS` (5 s). **Exit**: the exit code.',
    '',
    'Every container ran as its own user without capabilities, with a read-only root file system, a filter of system calls and a',
    `limit of memory. The first response with data arrived after ${run.first_response_s.toFixed(1)} s (goal: ${FIRST_RESPONSE_S} s): databases, migrations, platform and`,
    'gateway, a workspace, the sign-in of its owner and `GET /api/user`. The other services started at the same time.',
    '',
    '| Container | Image, MB | Ready, s | Memory, MiB | Stop, s | Exit |',
    '|---|---|---|---|---|---|',
    ...run.containers.map(line),
    '',
    run.machine,
    `NATS and PostgreSQL: ${run.origin}.`,
    'podman plays no Services, probes, policies and volumes of Kubernetes. The program asks the probes, writes the names of Services to hosts files',
    'and mounts folders as volumes.',
    '',
  ].join('\n');
