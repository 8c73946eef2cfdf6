/**
 * Settlement of leave ledger lines by final payslips, once for each line. Reversed payslips release their lines for the
 * next one.
 */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { PayslipLines } from '../payslips/payslip-encryption.ts';

interface LeaveSettlement {
  payslip: { id: string };
  lines: PayslipLines;
}

/** Returns the leave lines that a payslip settles, with their days as in the ledger. */
const linesOf = ({ payslip, lines }: LeaveSettlement) =>
  lines.earnings.flatMap(({ code, of, days }) =>
    of !== undefined && days !== undefined
      ? [{ id: of, entry_id: payslip.id, days: code === 'leave_owed' ? days : `-${days}` }]
      : [],
  );

/**
 * Records the lines that payslips settle when they become final. The later of two concurrent runs waits and fails.
 * @throws RangeError if another payslip has settled one of the lines
 */
export async function settleLeave(db: Db, payslips: readonly LeaveSettlement[]): Promise<void> {
  const lines = payslips.flatMap(linesOf);
  if (lines.length === 0) return;
  const written = await db.rows<{ id: string }>(sql`
    INSERT INTO payslip_leave_lines (id, entry_id, days)
    SELECT id, entry_id, days FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line (id uuid, entry_id uuid, days numeric)
    ORDER BY id ON CONFLICT DO NOTHING RETURNING id`);
  if (written.length < lines.length) throw new RangeError('A leave line is already settled by another payslip.');
}

/** Releases leave lines that reversed payslips had settled. */
export async function freeLeave(db: Db, payslips: readonly { id: string }[]): Promise<void> {
  await db.rows(sql`DELETE FROM payslip_leave_lines WHERE entry_id = ANY (${payslips.map(({ id }) => id)}::uuid[])`);
}
