/** Concurrent calls of the same operation on all replicas of a service. */
import { isPostponed, type Member, retryPostponed, type Reply, runConcurrently } from '@suite/testing';

/** Number of concurrent calls. */
export const TIMES = 50;

/** Checks if the outcome is undecided: the service is overloaded, or an earlier try is still being settled. */
const isOpen = (reply: Reply) =>
  isPostponed(reply) || ['stock_pending', 'reservation_pending', 'billing_pending'].includes(reply.body?.code);

/** Repeats a call until it is decided, as the API docs ask of clients. */
export const retryUntilDecided = (call: () => Promise<Reply>): Promise<Reply> => retryPostponed(call, isOpen);

/** Sends calls to all replicas in rotation, all concurrently. */
export const callAllReplicas = (
  replicas: readonly Member[],
  call: (replica: Member, at: number) => Promise<Reply>,
  times = TIMES,
): Promise<Reply[]> => runConcurrently(times, (at) => call(replicas[at % replicas.length] as Member, at), isOpen);

/** Counts the responses of each kind: `{ '201': 1, '409 request_in_progress': 49 }`. */
export function countReplies(replies: readonly Reply[]): Record<string, number> {
  const kinds = replies.map(({ status, body }) => (status < 400 ? String(status) : `${status} ${body?.code}`));
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

/** Runs a function for each element, with at most `TIMES` running concurrently. */
export async function mapConcurrently<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const waiting = [...all.entries()].toReversed();
  const done: R[] = [];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) done[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: TIMES }, worker));
  return done;
}
