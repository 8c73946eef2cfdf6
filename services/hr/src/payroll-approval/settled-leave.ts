/** Final payslips settle lines of the ledger of leave, each once; those that are reversed give them free for the next one. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { PayslipLines } from '../payslips/payslip-seals.ts';

interface Settling {
  slip: { id: string };
  lines: PayslipLines;
}

/** The lines of leave that a payslip settles, with their days as the ledger has them. */
const linesOf = ({ slip, lines }: Settling) =>
  lines.earnings.flatMap(({ code, of, days }) =>
    of !== undefined && days !== undefined
      ? [{ id: of, entry_id: slip.id, days: code === 'leave_owed' ? days : `-${days}` }]
      : [],
  );

/**
 * Writes down which lines payslips that become final have settled. Of two runs at once the later one waits, and finds it done.
 * @throws RangeError where another payslip has settled one of them by now
 */
export async function settleLeave(db: Db, slips: readonly Settling[]): Promise<void> {
  const lines = slips.flatMap(linesOf);
  if (lines.length === 0) return;
  const written = await db.rows<{ id: string }>(sql`
    INSERT INTO payslip_leave_lines (id, entry_id, days)
    SELECT id, entry_id, days FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line (id uuid, entry_id uuid, days numeric)
    ORDER BY id ON CONFLICT DO NOTHING RETURNING id`);
  if (written.length < lines.length) throw new RangeError('A line of leave is settled once.');
}

/** Gives lines free that payslips had settled which are reversed. */
export async function freeLeave(db: Db, slips: readonly { id: string }[]): Promise<void> {
  await db.rows(sql`DELETE FROM payslip_leave_lines WHERE entry_id = ANY (${slips.map(({ id }) => id)}::uuid[])`);
}
