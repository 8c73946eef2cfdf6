/** E-mail addresses of employees. */
import { raw, type Sql, sql } from '@suite/chassis/database';

/**
 * Returns an employee's e-mail address: the login address of an active user, else the work address, else NULL. Chosen:
 * the login address is verified, while the work address was typed by another user.
 * @param employee alias of the employees table in the statement
 */
export const mailAddressOf = (employee: 'employees' | 'reader'): Sql => sql`coalesce(
  (SELECT nullif(users.email, '') FROM users WHERE users.id = ${raw(employee)}.user_id AND users.status = 'active'),
  nullif(${raw(employee)}.email, ''))`;
