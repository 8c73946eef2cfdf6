/** Platform events about sessions, API keys, users and workspaces. Each event evicts cached callers. */
import type { Bus, Log } from '@suite/chassis/gateway';
import type { CallerCache, CacheSubject } from './caller-cache.ts';

/** Part of an event envelope that names its subject: `data.user_id` in `platform.user.disabled`. */
interface AccountEvent {
  workspace_id?: string;
  data?: Partial<Record<`${CacheSubject}_id`, string>>;
}

const ACCOUNT_EVENT = /^platform\.(session|api_key|user|workspace)\./;

/** Evicts cached callers on every event about them. */
export function evictOnAccountEvents(bus: Bus, cache: CallerCache, log: Log): void {
  bus.listen('platform.>', (payload, type) => {
    const subject = ACCOUNT_EVENT.exec(type)?.[1] as CacheSubject | undefined;
    if (!subject) return;
    try {
      const { workspace_id, data } = JSON.parse(payload) as AccountEvent;
      const id = subject === 'workspace' ? workspace_id : data?.[`${subject}_id`];
      if (id) cache.evict(subject, id);
      else cache.clear();
    } catch (error) {
      log.error({ err: error, type }, 'Invalid event from platform; all cached callers evicted');
      cache.clear();
    }
  });
  // Events published before this connection were missed.
  bus.onConnect(() => cache.clear());
}
