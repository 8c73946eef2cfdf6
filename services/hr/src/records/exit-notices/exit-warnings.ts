/** Warnings in the responses of resignations and terminations. */
import { debtWarningsOf } from '../../employment/open-debts/debt-warnings.ts';
import type { CommandContext } from '../../operations.ts';

/** Adds the warnings about the open debts of an employee to their resignation or termination. */
export async function withWarnings<Exit extends { employee_id: string; status: string }>(
  context: CommandContext,
  exit: Exit,
) {
  const isLeaving = exit.status === 'pending' || exit.status === 'approved';
  return { ...exit, warnings: isLeaving ? await debtWarningsOf(context, exit.employee_id) : [] };
}
