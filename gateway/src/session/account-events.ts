/** Platform's events about sessions, API keys, users and workspaces: each evicts cached callers. */
import type { Bus, Log } from '@suite/chassis/gateway';
import type { CallerCache, Subject } from './caller-cache.ts';

/** The part of an event's envelope that names its subject: `data.user_id` in `platform.user.disabled`. */
interface AccountEvent {
  workspace_id?: string;
  data?: Partial<Record<`${Subject}_id`, string>>;
}

const ACCOUNT_EVENT = /^platform\.(session|api_key|user|workspace)\./;

/** Evicts cached callers on every event about them. */
export function evictOnAccountEvents(bus: Bus, cache: CallerCache, log: Log): void {
  bus.listen('platform.>', (payload, type) => {
    const subject = ACCOUNT_EVENT.exec(type)?.[1] as Subject | undefined;
    if (!subject) return;
    try {
      const { workspace_id, data } = JSON.parse(payload) as AccountEvent;
      const id = subject === 'workspace' ? workspace_id : data?.[`${subject}_id`];
      if (id) cache.evict(subject, id);
      else cache.clear();
    } catch (error) {
      log.error({ err: error, type }, 'A message of platform cannot be read. Every caller is asked for again.');
      cache.clear();
    }
  });
  // Events that were published before this connection did not arrive here.
  bus.onConnect(() => cache.clear());
}
