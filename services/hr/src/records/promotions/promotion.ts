/** Promotions: requested, decided, and in effect from their day. */
import { randomUUIDv7 } from 'node:crypto';
import { today } from '@suite/chassis/runtime';
import {
  decideRecord,
  type EmployeeRecord,
  lockApproved,
  lockPending,
  lockRecordEmployee,
  type RecordKind,
  removePending,
} from '../../employees/employee-records/employee-record.ts';
import type { Decision } from '../../employees/employee-records/employee-record.schema.ts';
import { date, dates, salaryOf, openKeysFor } from '../../employees/employees/employee-columns.ts';
import type { LockedEmployee } from '../../employment/employment/employment.ts';
import { assertWorkplace } from '../../employment/employment/workplace.ts';
import type { CommandContext } from '../../operations.ts';
import {
  assertChanges,
  type ScheduledEffect,
  departmentOn,
  type EffectContext,
  applyTermChange,
  termsBefore,
} from '../term-changes/term-change.ts';
import { assertMaySeeSalary, decryptSalary, encryptSalary } from './promotion-salary.ts';
import { promotionStates } from './promotion.rules.ts';
import type { PromotionChanges, PromotionInput } from './promotion.schema.ts';
import { readPlainPromotion } from './promotion.view.ts';

const KIND: RecordKind = { table: 'promotions', rows: (db) => db.promotion, states: promotionStates };

interface Row extends EmployeeRecord {
  to_designation_id: string;
  salary_sealed: string | null;
  effective_date: string;
}

/** Checks that a promotion changes something. @returns the employee's designation on that day without the promotion */
async function assertPromotion(
  { db }: CommandContext,
  employee: LockedEmployee,
  { to_designation_id: designation_id, effective_date }: Pick<Row, 'to_designation_id' | 'effective_date'>,
  { day, has_salary }: { day: string; has_salary: boolean },
): Promise<string> {
  const before = await termsBefore(db, employee, effective_date, day);
  const department_id = await departmentOn(db, employee.id, effective_date, before);
  await assertWorkplace(db, { designation_id }, { designation_id, department_id }, 'to_');
  if (!has_salary)
    assertChanges(
      { designation_id },
      before,
      'The employee already has this designation. Select another one, or enter a salary.',
    );
  return before.designation_id!;
}

/**
 * Creates a pending promotion. @throws OwnRecord, EmploymentEnded, WrongDesignation, Forbidden for a salary, a 422
 * fault
 */
export async function createPromotion(context: CommandContext, body: PromotionInput) {
  const { db, caller } = context;
  const { employee_id, to_designation_id, effective_date, salary } = body;
  assertMaySeeSalary(caller, salary);
  const employee = await lockRecordEmployee(context, 'promotion', employee_id);
  const day = today(caller.timezone);
  const from_designation_id = await assertPromotion(context, employee, body, { day, has_salary: Boolean(salary) });
  const id = randomUUIDv7();
  const salary_sealed =
    encryptSalary(id, await salaryOf(context, salary, await openKeysFor(context, { salary }))) ?? null;
  const designations = { from_designation_id, to_designation_id };
  const columns = { ...designations, salary_sealed, effective_date: date(effective_date), reason: body.reason ?? null };
  await db.promotion.create({ data: { id, employee_id, ...columns } });
  return await readPlainPromotion(context, id);
}

/** Updates a pending promotion. @throws the faults of `createPromotion`, Stale, InvalidTransition */
export async function changePromotion(
  context: CommandContext,
  id: string,
  body: PromotionChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { record, employee } = await lockPending<Row>(context, KIND, id, expect);
  const { version: _, salary, effective_date, ...rest } = body;
  assertMaySeeSalary(caller, salary !== undefined);
  const will = { ...record, ...rest, effective_date: effective_date ?? record.effective_date };
  const has_salary = salary === undefined ? record.salary_sealed !== null : salary !== null;
  const from_designation_id = await assertPromotion(
    context,
    employee,
    { ...will, to_designation_id: rest.to_designation_id ?? record.to_designation_id },
    { day: today(caller.timezone), has_salary },
  );
  const salary_sealed = encryptSalary(id, await salaryOf(context, salary, await openKeysFor(context, { salary })));
  const columns = { ...rest, ...dates({ effective_date }), from_designation_id };
  await db.promotion.updateMany({
    where: { id },
    data: { ...columns, ...(salary_sealed !== undefined && { salary_sealed }) },
  });
  return await readPlainPromotion(context, id);
}

/** Deletes a pending promotion. @throws OwnRecord, InvalidTransition */
export const removePromotion = (context: CommandContext, id: string) => removePending(context, KIND, id);

/**
 * Applies an approved promotion.
 * @param employee locked
 * @throws EmploymentEnded, WrongDesignation, a 422 for conditions that are no longer met
 */
async function promote(context: EffectContext, { id, ...promotion }: Row, employee: LockedEmployee, day: string) {
  const { db } = context;
  const { to_designation_id: designation_id, effective_date } = promotion;
  const before = await termsBefore(db, employee, effective_date, day);
  await assertWorkplace(db, { designation_id }, { ...before, designation_id }, 'to_');
  const salary = await decryptSalary(context, { id, ...promotion });
  const change = { id, cause: 'promotion' as const, effective_date, day };
  await applyTermChange(context, employee, change, { terms: { designation_id }, salary });
  await promotionStates.move(db.promotion, id, 'take_effect', { from_designation_id: before.designation_id! });
}

/**
 * Decides on a promotion. A promotion of a past day takes effect immediately. @throws OwnRecord, InvalidTransition,
 * Stale, Forbidden, and as `promote`
 */
export async function decidePromotion(
  context: CommandContext,
  id: string,
  decision: Decision,
  expect: number | undefined,
) {
  const { caller } = context;
  const day = today(caller.timezone);
  await decideRecord<Row>(
    context,
    KIND,
    { ...decision, id, expect },
    {
      async approve(promotion, employee) {
        assertMaySeeSalary(caller, promotion.salary_sealed);
        const { to_designation_id, effective_date, salary_sealed } = promotion;
        if (effective_date <= day) return await promote(context, promotion, employee, day);
        const will = { to_designation_id, effective_date };
        return await assertPromotion(context, employee, will, { day, has_salary: salary_sealed !== null });
      },
    },
  );
  return await readPlainPromotion(context, id);
}

/** Puts promotions into effect on their day, or lets them lapse. */
export const promotionEffects: ScheduledEffect = {
  table: KIND.table,
  async takeEffect(context, id, day) {
    const opened = await lockApproved<Row>(context.db, KIND.table, id);
    if (opened) await promote(context, opened.record, opened.employee, day);
  },
  lapse: (db, id, remark) => promotionStates.move(db.promotion, id, 'lapse', { remark }),
};
