/** A queue that serves the workspaces in rotation, regardless of the number of requests from one workspace. */
import type { Fault } from '@suite/chassis/faults';

export interface QueueOptions {
  /** Number of jobs that run concurrently. One workspace never occupies all places, unless there is only one. */
  places: number;
  /** The number of jobs of one workspace that wait or run. */
  share: number;
  /** The number of jobs of all workspaces that wait or run. */
  waiting: number;
  /** The longest wait in the queue, in milliseconds. */
  patience_ms: number;
  /** The fault for a full queue, and for a job that waits too long. */
  busy: () => Fault;
  /** The fault for a workspace that exceeds its share. */
  tooMany: (details: object) => Fault;
}

interface WorkspaceQueue {
  waiting: (() => void)[];
  running: number;
}

/** The jobs of each workspace. The first workspace is served next. */
class Rotation {
  readonly #lines = new Map<string, WorkspaceQueue>();
  readonly #most_running: number;
  total = 0;

  constructor(most_running: number) {
    this.#most_running = most_running;
  }

  countOf(workspace_id: string): number {
    const { waiting, running } = this.#lines.get(workspace_id) ?? { waiting: [], running: 0 };
    return waiting.length + running;
  }

  enter(workspace_id: string, begin: () => void): void {
    const line = this.#lines.get(workspace_id) ?? { waiting: [], running: 0 };
    line.waiting.push(begin);
    this.#lines.set(workspace_id, line);
    this.total += 1;
  }

  leave(workspace_id: string, begin: () => void): void {
    const line = this.#lines.get(workspace_id)!;
    line.waiting = line.waiting.filter((other) => other !== begin);
    this.#forget(workspace_id, line);
  }

  /** Returns the next job, and moves its workspace behind all others. */
  next(): (() => void) | undefined {
    for (const [workspace_id, line] of this.#lines) {
      if (line.waiting.length === 0 || line.running >= this.#most_running) continue;
      this.#moveBehind(workspace_id, line);
      line.running += 1;
      return line.waiting.shift();
    }
    return undefined;
  }

  /** Moves a workspace whose job has ended behind the workspaces that arrived since then. */
  end(workspace_id: string): void {
    const line = this.#lines.get(workspace_id)!;
    line.running -= 1;
    this.#moveBehind(workspace_id, line);
    this.#forget(workspace_id, line);
  }

  #moveBehind(workspace_id: string, line: WorkspaceQueue): void {
    this.#lines.delete(workspace_id);
    this.#lines.set(workspace_id, line);
  }

  #forget(workspace_id: string, { waiting, running }: WorkspaceQueue): void {
    this.total -= 1;
    if (waiting.length + running === 0) this.#lines.delete(workspace_id);
  }
}

/** Opens a queue. The requests of each workspace are processed in order. */
export function openQueue({ places, share, waiting, patience_ms, busy, tooMany }: QueueOptions) {
  const rotation = new Rotation(Math.max(1, places - 1));
  let free = places;

  function proceed(): void {
    const begin = free > 0 ? rotation.next() : undefined;
    if (!begin) return;
    free -= 1;
    begin();
    proceed();
  }

  async function waitForPlace(workspace_id: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(() => {
      rotation.leave(workspace_id, begin);
      reject(busy());
    }, patience_ms);
    rotation.enter(workspace_id, begin);
    proceed();
    await promise;
  }

  return {
    /**
     * Runs a job when it reaches the front of the queue.
     * @throws the faults of the options: immediately, or after the longest wait
     */
    async inTurn<T>(workspace_id: string, work: () => Promise<T>): Promise<T> {
      if (rotation.countOf(workspace_id) >= share) throw tooMany({ retry_after_s: 1 });
      if (rotation.total >= waiting) throw busy();
      await waitForPlace(workspace_id);
      try {
        return await work();
      } finally {
        rotation.end(workspace_id);
        free += 1;
        proceed();
      }
    },
  };
}
