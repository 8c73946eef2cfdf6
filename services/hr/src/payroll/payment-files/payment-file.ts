/** Creates payment files from the payslips of a run and returns them. The same content results in the same file. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { fault, Forbidden, invalid, NotFound } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { ResponseWriter } from '@suite/chassis/operations';
import { clock, today } from '@suite/chassis/runtime';
import { isZero } from '@suite/money';
import { openEncryption, openDecryption } from '@suite/field-encryption';
import { daysAfter } from '@suite/time-zones';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { readPaidPeople } from '../payroll-facts/people-rows.ts';
import { payablePayslips, payableTotal } from '../payroll-payments/payable.ts';
import { paymentSource } from '../payroll-postings/payment-source.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payrollStates, canSeeAllPayslips } from '../payrolls/payroll.rules.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import type { PaymentFileInput } from './payment-file.schema.ts';
import { bicOf, ibanOf, type PaymentOrder, type SalaryTransfer } from './payment-order.ts';

export const BankMissing = fault(
  409,
  'bank_missing',
  'An employee in this run has no bank account. Add one, or exclude the employee.',
);
export const NothingToPay = fault(
  409,
  'nothing_to_pay',
  'All employees of this run have been paid. No file is needed.',
);

/** Bank account in finance and name of the workspace, requested before the transaction. */
export interface Debtor {
  source: Awaited<ReturnType<typeof paymentSource>>;
  initiator: string;
}

/** @throws Forbidden for a caller who does not see all payslips, NotFound, a 422 for the bank account */
export async function prepareFile(
  { caller, rpc, read }: { caller: Caller; rpc: Rpc; read: <T>(work: (db: Db) => Promise<T>) => Promise<T> },
  id: string,
  { bank_account_id, format }: PaymentFileInput,
): Promise<Debtor> {
  if (!canSeeAllPayslips(caller)) throw Forbidden({ noun: 'payroll', record_scope: 'all' });
  const [run] = await read((db) =>
    db.rows<{ currency: string }>(sql`SELECT currency FROM payrolls WHERE id = ${id}::uuid`),
  );
  if (!run) throw NotFound();
  const source = await paymentSource(rpc, bank_account_id, run.currency);
  if (format !== 'csv' && !ibanOf(source.account_number)) {
    throw invalid('bank_account_id', 'This bank account has no IBAN. Add one, or choose another format.');
  }
  return { source, initiator: (await rpc.platform.getLetterhead({})).name };
}

const DAYS_AHEAD = 30;

/** Returns the execution date for the bank. @throws a 422 fault for a past or too distant day */
function executionDate(input: string | undefined, pay_date: string, timezone: string): string {
  const first = today(timezone);
  const last = daysAfter(first, DAYS_AHEAD);
  if (input === undefined) return pay_date >= first && pay_date <= last ? pay_date : first;
  if (input < first || input > last) throw invalid('execution_date', `Choose a day from ${first} to ${last}.`);
  return input;
}

interface PaidPayslip extends SalaryTransfer {
  employee_id: string;
}

/** Returns the transfers of a run. @throws BankMissing, NothingToPay */
async function transfersOf(
  { db, keys }: { db: Db; keys: Pick<Keys, 'master'> },
  payroll_id: string,
): Promise<PaidPayslip[]> {
  const cipher = await openDecryption(db, keys.master);
  const payslips = (await payablePayslips(db, cipher, payroll_id)).filter(({ net }) => !isZero(net));
  if (payslips.length === 0) throw NothingToPay();
  const rows = await db.rows<{
    id: string;
    employee_id: string;
    bank_sealed: string | null;
    name: string;
    code: string;
  }>(sql`
    SELECT slip.id, slip.employee_id, slip.bank_sealed, employees.name, employees.code FROM payroll_entries AS slip
    JOIN employees ON employees.id = slip.employee_id WHERE slip.payroll_id = ${payroll_id}::uuid`);
  const entered = await readPaidPeople(
    db,
    cipher,
    rows.filter(({ bank_sealed }) => bank_sealed === null).map(({ employee_id }) => employee_id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const opened = payslips.map((payslip) => {
    const row = byId.get(payslip.id)!;
    // A bank account that was missing at calculation may have been added since.
    return {
      payslip,
      row,
      bank: decryptPart(cipher, row, 'bank') ?? entered.get(payslip.employee_id)?.bank ?? null,
    };
  });
  const missing = opened.filter(({ bank }) => bank === null);
  if (missing.length > 0) throw BankMissing({ employee_ids: missing.map(({ payslip }) => payslip.employee_id) });
  return opened.map(({ payslip, row, bank }) => ({
    employee_id: payslip.employee_id,
    number: payslip.number,
    amount: payslip.net,
    code: row.code,
    name: bank!.holder ?? row.name,
    account: bank!.account,
    bic: bicOf(bank!.code),
  }));
}

interface FileRow {
  id: string;
  message_id: string;
}

const fileCipherLocation = (id: string) => ({ table: 'payment_files', column: 'content_sealed', id });

/** Returns the payment order that a file is created from. */
async function orderOf(
  context: CommandContext,
  payroll_id: string,
  { source, initiator }: Debtor,
  input: PaymentFileInput,
): Promise<
  Omit<PaymentOrder, 'message_id' | 'created_at' | 'transfers'> & { transfers: PaidPayslip[]; number: string }
> {
  const { db, caller } = context;
  const run = await lockPayroll(db, payroll_id);
  payrollStates.assertFits('make_payment_file', run, caller);
  const [kept] = await db.rows<{ number: string; pay_date: string; period: string }>(sql`
    SELECT number, pay_date::text AS pay_date, to_char(period_end, 'YYYY-MM') AS period FROM payrolls
    WHERE id = ${payroll_id}::uuid`);
  const transfers = await transfersOf(context, payroll_id);
  return {
    number: kept!.number,
    execution_date: executionDate(input.execution_date, kept!.pay_date, caller.timezone),
    initiator,
    currency: run.currency,
    total: payableTotal(
      transfers.map(({ amount: net, ...payslip }) => ({ ...payslip, id: payslip.employee_id, net })),
      run.currency,
    ),
    debtor: { name: source.holder || initiator, account: source.account_number, bic: bicOf(source.bic) },
    period: kept!.period,
    transfers,
  };
}

/** Creates the file of a run's payable payslips, or finds an existing one. Returns its ID. */
export async function makeFile(
  context: CommandContext & { request_id: string },
  payroll_id: string,
  debtor: Debtor,
  input: PaymentFileInput,
): Promise<string> {
  const { db, keys, caller, request_id } = context;
  const { number, ...order } = await orderOf(context, payroll_id, debtor, input);
  const { format, bank_account_id } = input;
  const cipher = await openEncryption(db, keys.master);
  const content_hash = cipher
    .index('payment_file', JSON.stringify({ format, bank_account_id, ...order }))
    .toString('hex');
  const employee_ids = order.transfers.map(({ employee_id }) => employee_id);
  await recordAccess(
    (work) => work(db),
    { caller, request_id },
    employee_ids.map((employee_id) => ({ employee_id, fields: ['bank'] })),
  );
  const files = await db.rows<FileRow & { content_hash: string }>(sql`
    SELECT id, message_id, content_hash FROM payment_files WHERE payroll_id = ${payroll_id}::uuid`);
  const existing = files.find((file) => file.content_hash === content_hash);
  if (existing) return existing.id;
  const file_no = files.length + 1;
  const [id, message_id] = [randomUUIDv7(), `${number}-${file_no}`];
  const created_at = `${clock.now().toISOString().slice(0, 19)}Z`;
  const written = { ...order, message_id, created_at };
  // Loads the module with the first file: it needs 18 MiB, and most processes never write a file.
  const { csvOf, painOf } = await import('./bank-file.ts');
  const content = format === 'csv' ? csvOf(written) : painOf(written);
  const columns = { id, payroll_id, file_no, message_id, format, bank_account_id, employee_ids, content_hash };
  await db.paymentFile.create({
    data: {
      ...columns,
      payslip_count: employee_ids.length,
      execution_date: new Date(order.execution_date),
      content_sealed: cipher.seal(fileCipherLocation(id), content),
    },
  });
  return id;
}

/** Downloaded file, with the employees whose bank accounts it contains. */
export type DownloadedFile = ResponseWriter & { employee_ids: string[] };

/** Decrypts a payment file for callers with the permission to pay. @throws NotFound */
export async function openFile(
  { db, keys }: { db: Db; keys: Pick<Keys, 'master'> },
  id: string,
): Promise<DownloadedFile> {
  const [file] = await db.rows<FileRow & { format: string; content_sealed: string; employee_ids: string[] }>(sql`
    SELECT id, message_id, format, content_sealed, employee_ids FROM payment_files WHERE id = ${id}::uuid`);
  if (!file) throw NotFound();
  const content = Buffer.from(
    (await openDecryption(db, keys.master)).open(fileCipherLocation(id), file.content_sealed),
  );
  const [type, ending] = file.format === 'csv' ? ['text/csv; charset=utf-8', 'csv'] : ['application/xml', 'xml'];
  const send: ResponseWriter = (response) => {
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': content.length,
      'Content-Disposition': `attachment; filename="${file.message_id}.${ending}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(content);
    return Promise.resolve();
  };
  return Object.assign(send, { employee_ids: file.employee_ids });
}
