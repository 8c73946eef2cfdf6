/** The queue of prints: every workspace in its turn, however much one of them asks for. */
import { fault } from '@suite/chassis';

export const PrinterBusy = fault(503, 'printer_busy', 'Too many documents are being printed. Try again shortly.');
export const TooManyPrints = fault(
  429,
  'too_many_prints',
  'Your workspace prints as many documents as it may at once. Wait until one of them is done.',
);

export interface QueueOptions {
  /** How many letters of one workspace may wait or be in print. */
  share: number;
  /** How many letters of all workspaces together. */
  waiting: number;
  /** The longest wait: later, nobody listens any more. */
  patience_ms: number;
}

/** The waiting prints by workspace. The first workspace is the next one to have its turn. */
function rotation() {
  const turns = new Map<string, (() => void)[]>();
  const put = (workspace_id: string, own: (() => void)[]) => {
    if (own.length > 0) turns.set(workspace_id, own);
    else turns.delete(workspace_id);
  };
  const own = (workspace_id: string) => turns.get(workspace_id) ?? [];
  return {
    enter: (workspace_id: string, begin: () => void) => put(workspace_id, [...own(workspace_id), begin]),
    leave: (workspace_id: string, begin: () => void) =>
      put(
        workspace_id,
        own(workspace_id).filter((other) => other !== begin),
      ),
    /** Takes out the next print; the others of its workspace wait behind all other workspaces. */
    next(): (() => void) | undefined {
      const [workspace_id = ''] = turns.keys();
      const [begin, ...others] = own(workspace_id);
      turns.delete(workspace_id);
      put(workspace_id, others);
      return begin;
    },
    /** A workspace whose print is done goes behind those that came in the meantime. */
    giveWay(workspace_id: string) {
      const waiting = own(workspace_id);
      turns.delete(workspace_id);
      put(workspace_id, waiting);
    },
  };
}

/** How many letters are asked for, by workspace. */
function tally() {
  const asked = new Map<string, number>();
  let total = 0;
  return {
    of: (workspace_id: string): number => asked.get(workspace_id) ?? 0,
    total: (): number => total,
    add(workspace_id: string, by: 1 | -1) {
      const left = (asked.get(workspace_id) ?? 0) + by;
      if (left > 0) asked.set(workspace_id, left);
      else asked.delete(workspace_id);
      total += by;
    },
  };
}

/** One at a time, the workspaces in rotation, each in the order in which it asked. */
export function openQueue({ share, waiting, patience_ms }: QueueOptions) {
  const turns = rotation();
  const asked = tally();
  let taken = false;

  function proceed(): void {
    const begin = taken ? undefined : turns.next();
    if (!begin) return;
    taken = true;
    begin();
  }

  async function comeToTurn(workspace_id: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    turns.enter(workspace_id, resolve);
    const late = setTimeout(() => {
      turns.leave(workspace_id, resolve);
      reject(PrinterBusy());
    }, patience_ms);
    proceed();
    await promise.finally(() => clearTimeout(late));
  }

  async function inOwnTurn<T>(workspace_id: string, work: () => Promise<T>): Promise<T> {
    await comeToTurn(workspace_id);
    try {
      return await work();
    } finally {
      turns.giveWay(workspace_id);
      taken = false;
      proceed();
    }
  }

  return {
    /** Does some work when its turn has come. @throws TooManyPrints, PrinterBusy at once, or when it never comes */
    async inTurn<T>(workspace_id: string, work: () => Promise<T>): Promise<T> {
      if (asked.of(workspace_id) >= share) throw TooManyPrints({ retry_after_s: 1 });
      if (asked.total() >= waiting) throw PrinterBusy();
      asked.add(workspace_id, 1);
      return await inOwnTurn(workspace_id, work).finally(() => asked.add(workspace_id, -1));
    },
  };
}
