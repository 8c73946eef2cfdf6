/** Period locks close the books through a day, as a whole or for one side, and can be removed. */
import type { Plan } from '../state/attempt.ts';
import { pick, type Scope } from '../state/model.ts';

export interface NewLock {
  scope: Scope;
  through: string;
}

/** Locks a part of the books, or extends the lock to another day. */
export const lockPeriod =
  ({ scope, through }: NewLock): Plan =>
  (model) => {
    const before = model.locks.get(scope);
    const facts = { locked_through: through, reason: 'It was reported.' };
    const happens = ({ id }: { id: string }) => {
      model.locks.set(scope, { id, through });
    };
    const call = { service: 'finance', method: 'POST', happens, shows: () => facts } as const;
    return before
      ? { ...call, path: `/api/period-locks/update/${before.id}`, body: facts, status: 200 }
      : { ...call, path: '/api/period-locks/create', body: { ...facts, scope }, status: 201 };
  };

/** Removes the lock of a part of the books. */
export const unlockPeriod =
  (any: number): Plan =>
  (model) => {
    const [scope, lock] = pick([...model.locks], any) ?? [];
    if (!scope || !lock) return undefined;
    return {
      service: 'finance',
      method: 'DELETE',
      path: `/api/period-locks/delete/${lock.id}`,
      status: 200,
      happens() {
        model.locks.delete(scope);
      },
    };
  };
