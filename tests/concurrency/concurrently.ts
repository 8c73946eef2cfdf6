/** Concurrent calls of the same operation on all replicas of a service. */
import { isPutOff, type Member, patiently, type Reply, together } from '@suite/testing';

/** Number of concurrent calls. */
export const TIMES = 50;

/** Checks if the outcome is undecided: the service is overloaded, or an earlier try is still being settled. */
const isOpen = (reply: Reply) =>
  isPutOff(reply) || ['stock_pending', 'reservation_pending', 'billing_pending'].includes(reply.body?.code);

/** Repeats a call until it is decided, as the API docs ask of clients. */
export const untilDecided = (call: () => Promise<Reply>): Promise<Reply> => patiently(call, isOpen);

/** Sends calls to all replicas in rotation, all concurrently. */
export const concurrently = (
  replicas: readonly Member[],
  call: (replica: Member, at: number) => Promise<Reply>,
  times = TIMES,
): Promise<Reply[]> => together(times, (at) => call(replicas[at % replicas.length] as Member, at), isOpen);

/** Counts the responses of each kind: `{ '201': 1, '409 request_in_progress': 49 }`. */
export function tally(replies: readonly Reply[]): Record<string, number> {
  const kinds = replies.map(({ status, body }) => (status < 400 ? String(status) : `${status} ${body?.code}`));
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

/** Runs a function for each element, with at most `TIMES` running concurrently. */
export async function inTurns<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const waiting = [...all.entries()].toReversed();
  const done: R[] = [];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) done[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: TIMES }, worker));
  return done;
}
