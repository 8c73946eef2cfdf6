/** Where people are written to. */
import { raw, type Sql, sql } from '@suite/chassis';

/**
 * The address at which an employee is written to: that of his login, as long as he can sign in, else the one at work; NULL where
 * there is neither. Chosen: he has proved that the first one is his, and the other one is what somebody has typed.
 * @param employee the name of the employees in the statement
 */
export const mailAddressOf = (employee: 'employees' | 'reader'): Sql => sql`coalesce(
  (SELECT nullif(users.email, '') FROM users WHERE users.id = ${raw(employee)}.user_id AND users.status = 'active'),
  nullif(${raw(employee)}.email, ''))`;
