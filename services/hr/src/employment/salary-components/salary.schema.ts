/** Contractual salaries, as in responses. */
import { choice, Currency, Id, MoneyOut } from '@suite/chassis/fields';
import { z } from 'zod';

const SalaryPart = z.object({ component_id: Id, value: z.string().nullable() });
/** Contractual salary. */
export const Salary = z
  .object({
    basis: choice('monthly', 'hourly'),
    amount: MoneyOut.describe('Amount per month or per hour.'),
    currency: Currency,
    weekly_hours: z.string(),
    hourly_source: choice('attendance', 'projects').nullable().describe('Source of the hours for an hourly salary.'),
    components: z.array(SalaryPart),
  })
  .meta({ id: 'Salary' });
