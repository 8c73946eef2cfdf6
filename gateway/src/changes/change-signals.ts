/** Signals about changes in a workspace, for requests that wait for the next changes. */
import type { Bus, WakeSignal } from '@suite/chassis/gateway';

/** The subject on which each service names a workspace with new changes. */
const CHANGES = 'signals.*.changes';

export interface ChangeSignals {
  /** Wakes a waiting request at each change in the workspace, until the returned function is called. */
  watch(workspace_id: string, waiting: WakeSignal): () => void;
  /** Wakes all waiting requests. */
  wakeAll(): void;
}

/** Returns the workspace of an event of platform, or undefined. */
function workspaceOf(payload: string): string | undefined {
  try {
    return (JSON.parse(payload) as { workspace_id?: string }).workspace_id;
  } catch {
    return undefined;
  }
}

/**
 * Listens to the services. A lost signal delays a change until the next check.
 * Chosen: services send a signal after each commit, outside the streams. The events of the journal would announce only a part of
 * the changes, and each gateway would read all events.
 */
export function changeSignals(bus: Bus): ChangeSignals {
  const watched = new Map<string, Set<WakeSignal>>();
  const wake = (workspace_id: string | undefined): void => {
    for (const waiting of watched.get(workspace_id ?? '') ?? []) waiting.wake();
  };
  const wakeAll = (): void => {
    for (const workspace_id of watched.keys()) wake(workspace_id);
  };
  bus.listen(CHANGES, wake);
  // The end of a session or of a permission can end streams.
  bus.listen('platform.>', (payload) => watched.size > 0 && wake(workspaceOf(payload)));
  bus.onConnect(wakeAll);

  return {
    watch(workspace_id, waiting) {
      const all = watched.get(workspace_id) ?? new Set();
      watched.set(workspace_id, all.add(waiting));
      return () => {
        all.delete(waiting);
        if (all.size === 0) watched.delete(workspace_id);
      };
    },
    wakeAll,
  };
}
