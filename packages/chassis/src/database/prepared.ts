/** Which statements PostgreSQL keeps planned: those that recur. */
import { LRUCache } from 'lru-cache';

/** A plan costs some 50 KB in every connection: what was asked a few times only is planned anew each time. */
const WORTHWHILE = 20;
const MOST = 200;

const times = new LRUCache<string, number>({ max: 2_000 });
const names = new Map<string, string>();

/**
 * The name under which a statement is prepared, in all connections of this process; nothing for a rare one.
 * PostgreSQL keeps planning a prepared statement for its values as long as that pays (`plan_cache_mode = auto`), and plans
 * it anew when the role or a table changes: https://www.postgresql.org/docs/18/sql-prepare.html
 */
export function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name || names.size === MOST) return name;
  const asked = (times.get(text) ?? 0) + 1;
  times.set(text, asked);
  if (asked === WORTHWHILE) names.set(text, `suite_${names.size + 1}`);
  return names.get(text);
}
